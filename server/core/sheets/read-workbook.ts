import { numberFormatOf, plainText, type NumberFormat, type ReadText } from './cell-text.ts'
import type { Archive } from './archive.ts'
import { SheetRefused } from './limits.ts'

/** What cells need to know of the workbook around them. */
export interface Workbook {
  date1904: boolean
  strings: ReadText[]
  /** How the cell style of each number shows numbers. */
  looks: NumberFormat[]
  sheets: { name: string; visible: boolean; path: string }[]
}

/** Reads everything of a workbook but its sheets. */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const root = archive.has('_rels/.rels') ? await relations(archive, '_rels/.rels', '') : new Map<string, Relation>()
  const main = [...root.values()].find((relation) => relation.type === 'officeDocument')?.path
  if (!main || !archive.has(main)) throw new SheetRefused('file-type-refused', { allowed: ' .xlsx 或 .csv 文件' })
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const parts = await relations(archive, `${folder}_rels/${main.slice(folder.length)}.rels`, folder)
  const listed: { name: string; state: string; id: string }[] = []
  let date1904 = false
  await archive.parse(main, {
    open(name, attributes) {
      if (name === 'workbookPr') date1904 = attributes.date1904 === '1' || attributes.date1904 === 'true'
      if (name === 'sheet')
        listed.push({ name: attributes.name ?? '', state: attributes.state ?? '', id: relationId(attributes) })
    },
  })
  const part = (type: string) =>
    [...parts.values()].find((relation) => relation.type === type && archive.has(relation.path))?.path
  const sheets = listed.flatMap(({ name, state, id }) => {
    const relation = parts.get(id)
    return relation?.type === 'worksheet'
      ? [{ name, visible: state !== 'hidden' && state !== 'veryHidden', path: relation.path }]
      : []
  })
  const strings = part('sharedStrings')
  const styles = part('styles')
  return {
    date1904,
    sheets,
    strings: strings ? await sharedStrings(archive, strings) : [],
    looks: styles ? await numberFormats(archive, styles) : [],
  }
}

/** `r:id`, whatever the prefix is called. */
const relationId = (attributes: Record<string, string>) =>
  Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''

interface Relation {
  type: string
  path: string
}

async function relations(archive: Archive, path: string, folder: string): Promise<Map<string, Relation>> {
  const found = new Map<string, Relation>()
  await archive.parse(path, {
    open(name, { Id, Type, Target, TargetMode }) {
      if (name !== 'Relationship' || !Id || !Type || !Target || TargetMode === 'External') return
      found.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), path: resolve(folder, Target) })
    },
  })
  return found
}

/** A target relative to its folder, or absolute within the archive; only ever used as a name to look up. */
function resolve(folder: string, target: string): string {
  const steps: string[] = []
  for (const step of (target.startsWith('/') ? target.slice(1) : folder + target).split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '.' && step !== '') steps.push(step)
  }
  return steps.join('/')
}

async function sharedStrings(archive: Archive, path: string): Promise<ReadText[]> {
  const strings: ReadText[] = []
  let text = ''
  let inText = false
  let phonetic = 0
  await archive.parse(path, {
    open(name) {
      if (name === 'si') text = ''
      else if (name === 't') inText = phonetic === 0
      else if (name === 'rPh') phonetic++
    },
    text(piece) {
      if (inText) text += piece
    },
    close(name) {
      if (name === 't') inText = false
      else if (name === 'rPh') phonetic--
      else if (name === 'si') {
        const read = plainText(text, true)
        strings.push({ ...read, text: detached(read.text) })
      }
    },
  })
  return strings
}

/** A copy that does not keep alive the piece of the file it was cut from. */
const detached = (text: string): string => (text.length < 13 ? text : Buffer.from(text).toString())

async function numberFormats(archive: Archive, path: string): Promise<NumberFormat[]> {
  const codes = new Map<number, string>()
  const formats: NumberFormat[] = []
  let inCells = false
  await archive.parse(path, {
    open(name, { numFmtId, formatCode }) {
      if (name === 'cellXfs') inCells = true
      else if (name === 'numFmt') codes.set(Number(numFmtId), formatCode ?? '')
      else if (name === 'xf' && inCells && formats.length < 65_536)
        formats.push(numberFormatOf(Number(numFmtId ?? 0), codes.get(Number(numFmtId ?? 0))))
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return formats
}
