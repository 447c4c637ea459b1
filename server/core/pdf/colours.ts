/** The colours in force on the page that is being drawn. */
interface Inks {
  page: unknown
  fillColor?: unknown
  strokeColor?: unknown
}

/**
 * Lets a document write a colour only where another one is in force: a table of hundreds of cells says the same one
 * again for each.
 */
export function sayColoursOnce(doc: PDFKit.PDFDocument): void {
  let now: Inks = { page: undefined }
  const before: Inks[] = []
  const [save, restore] = [doc.save.bind(doc), doc.restore.bind(doc)]
  doc.save = () => (before.push({ ...now }), save())
  doc.restore = () => ((now = before.pop() ?? { page: undefined }), restore())
  for (const name of ['fillColor', 'strokeColor'] as const) {
    const say = doc[name] as (...values: unknown[]) => PDFKit.PDFDocument
    doc[name] = ((color: unknown, opacity?: unknown) => {
      if (now.page !== doc.page) now = { page: doc.page }
      if (opacity === undefined && typeof color === 'string' && now[name] === color) return doc
      now[name] = opacity === undefined ? color : undefined
      return say.call(doc, color, opacity)
    }) as PDFKit.PDFDocument[typeof name]
  }
}
