import { notify } from '../service/notice.tsx'
import { saveFile } from '../service/object-address.ts'

/** How long a picture of a page may take before it is given up, in milliseconds. */
const pictureLimit = 15_000
/** A4 in points. */
const a4 = { width: 595.28, height: 841.89 }
const dots = 2

/**
 * A part of the page as one picture, or as a PDF of A4 pages; in the picture nothing that is only there to be clicked.
 * Given up with a message after {@link pictureLimit}.
 */
export async function savePage(element: HTMLElement, name: string, kind: 'png' | 'pdf'): Promise<void> {
  let clock: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, giveUp) => (clock = setTimeout(() => giveUp(new Error('late')), pictureLimit)))
  try {
    const blob = await Promise.race([make(element, kind), late])
    saveFile(blob, `${name}.${kind}`)
  } catch {
    notify('warning', '生成超过 15 秒或未能完成，已放弃。请缩小范围后重试，或使用“打印”另存为 PDF')
  } finally {
    clearTimeout(clock)
  }
}

async function make(element: HTMLElement, kind: 'png' | 'pdf'): Promise<Blob> {
  // the library comes with the first picture
  const { domToCanvas } = await import('modern-screenshot')
  const backgroundColor = getComputedStyle(document.body).backgroundColor
  const stays = (node: Node): boolean =>
    !(node instanceof Element && node.matches('[data-no-picture], .chart-tools, .chart-definition'))
  // parts between others that are left out make the picture shorter than the page
  const { top, height } = element.getBoundingClientRect()
  const gone = [...element.children].flatMap((part) =>
    stays(part) || !part.nextElementSibling
      ? []
      : [
          {
            from: part.getBoundingClientRect().top,
            size: part.nextElementSibling.getBoundingClientRect().top - part.getBoundingClientRect().top,
          },
        ],
  )
  const without = (y: number): number => y - top - gone.reduce((sum, { from, size }) => sum + (from < y ? size : 0), 0)
  const canvas = await domToCanvas(element, {
    scale: dots,
    backgroundColor,
    timeout: pictureLimit,
    height: without(top + height),
    filter: stays,
  })
  if (kind === 'png') return blobOf(canvas, 'image/png')
  return pdfOf(
    canvas,
    [...element.querySelectorAll('[data-keep]')].map((part) => without(part.getBoundingClientRect().bottom)),
  )
}

const blobOf = (canvas: HTMLCanvasElement, type: string): Promise<Blob> =>
  new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('no picture'))), type, 0.92),
  )

/**
 * The picture on A4 pages, cut between the parts of the page where one ends on it.
 * @param ends where parts end, in pixels of the screen
 */
async function pdfOf(canvas: HTMLCanvasElement, ends: readonly number[]): Promise<Blob> {
  const margin = 28
  const scale = (a4.width - 2 * margin) / canvas.width
  const pageHeight = Math.floor((a4.height - 2 * margin) / scale)
  const pages: { jpeg: Uint8Array; width: number; height: number }[] = []
  for (let from = 0; from < canvas.height;) {
    const fitting = ends
      .map((end) => Math.round(end * dots))
      .filter((end) => end > from + pageHeight * 0.3 && end <= from + pageHeight)
    const to = Math.min(
      canvas.height,
      canvas.height - from <= pageHeight
        ? canvas.height
        : fitting.length > 0
          ? Math.max(...fitting)
          : from + pageHeight,
    )
    const part = document.createElement('canvas')
    part.width = canvas.width
    part.height = to - from
    part.getContext('2d')!.drawImage(canvas, 0, -from)
    pages.push({
      jpeg: new Uint8Array(await (await blobOf(part, 'image/jpeg')).arrayBuffer()),
      width: part.width,
      height: part.height,
    })
    from = to
  }
  const chunks: (string | Uint8Array)[] = ['%PDF-1.4\n']
  const offsets: number[] = []
  let size = 9
  const put = (...parts: (string | Uint8Array)[]) =>
    parts.forEach((part) => {
      chunks.push(part)
      size += part.length
    })
  const object = (...parts: (string | Uint8Array)[]) => {
    offsets.push(size)
    put(`${offsets.length} 0 obj\n`, ...parts, '\nendobj\n')
  }
  object('<< /Type /Catalog /Pages 2 0 R >>')
  object(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${3 + at * 3} 0 R`).join(' ')}] >>`)
  pages.forEach(({ jpeg, width, height }, at) => {
    const [page, image, text] = [3 + at * 3, 4 + at * 3, 5 + at * 3]
    const draw = `q ${(width * scale).toFixed(2)} 0 0 ${(height * scale).toFixed(2)} ${margin} ${(a4.height - margin - height * scale).toFixed(2)} cm /I Do Q`
    object(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${a4.width} ${a4.height}] /Resources << /XObject << /I ${image} 0 R >> >> /Contents ${text} 0 R >>`,
    )
    object(
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n`,
      jpeg,
      '\nendstream',
    )
    object(`<< /Length ${draw.length} >>\nstream\n${draw}\nendstream`)
    return page
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  chunks.push(
    `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${size}\n%%EOF`,
  )
  return new Blob(chunks as BlobPart[], { type: 'application/pdf' })
}
