import { Readable } from 'node:stream'
import { isoText } from '../base/clock.ts'
import { styledCell, letters, xmlText } from './cell-xml.ts'
import { markSheet, markSign } from './mark.ts'
import { sheetXml, type SheetSpec, type Written } from './sheet-xml.ts'
import { watermarkPng } from '../pdf/watermark.ts'
import { stylesXml } from './styles.ts'
import { zipOf, type ZipEntry } from './zip.ts'

export interface WorkbookSpec {
  sheets: readonly SheetSpec[]
  /** Makes the workbook a template that the import of this kind and version knows again. */
  template?: { kind: string; version: number }
  /**
   * Who made it and when: document properties, the foot of every printed page, and a faint picture behind the cells.
   */
  maker?: { name: string; time: string }
}

/**
 * A workbook as a stream of bytes. Rows are asked for only as fast as the reader takes the bytes; when the reader
 * leaves, the row sources are ended (their `finally` runs). Memory does not grow with the number of rows.
 */
export function writeXlsx(spec: WorkbookSpec): Readable {
  return Readable.from(zipOf(entriesOf(spec)), { objectMode: false, highWaterMark: 65_536 })
}

const header = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const mainSpace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relSpace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageSpace = 'http://schemas.openxmlformats.org/package/2006'

function* entriesOf(spec: WorkbookSpec): Generator<ZipEntry> {
  const lists = listsOf(spec)
  const hidden = lists.length > 0 || spec.template !== undefined
  const names = sheetNames(spec.sheets)
  const paths = [...names, ...(hidden ? [markSheet] : [])].map((_, at) => `worksheets/sheet${at + 1}.xml`)
  const written: Written[] = spec.sheets.map(() => ({ rows: 0 }))
  const { maker } = spec
  const marks = { footer: maker ? `${maker.name} ${maker.time}` : '', hasPicture: maker !== undefined }

  yield { name: '[Content_Types].xml', text: [contentTypes(paths)] }
  yield {
    name: '_rels/.rels',
    text: [
      relations([
        ['officeDocument', 'xl/workbook.xml'],
        ['metadata/core-properties', 'docProps/core.xml'],
      ]),
    ],
  }
  yield { name: 'xl/styles.xml', text: [stylesXml] }
  for (const [at, sheet] of spec.sheets.entries()) {
    const listOf = (key: string) => lists.find((list) => list.sheet === at && list.key === key)?.range
    yield { name: `xl/${paths[at]}`, text: sheetXml(sheet, listOf, marks, written[at]!) }
    if (maker)
      yield {
        name: `xl/worksheets/_rels/sheet${at + 1}.xml.rels`,
        text: [relations([['image', '../media/watermark.png']])],
      }
  }
  if (hidden) yield { name: `xl/${paths.at(-1)}`, text: markXml(spec.template, lists) }
  if (maker) yield { name: 'xl/media/watermark.png', text: pictureOf(maker) }
  // after the sheets, because the ranges name the last row that was really written
  yield { name: 'xl/workbook.xml', text: [workbookXml(spec, names, hidden, written)] }
  yield {
    name: 'xl/_rels/workbook.xml.rels',
    text: [relations([...paths.map((path) => ['worksheet', path] as const), ['styles', 'styles.xml']])],
  }
  yield { name: 'docProps/core.xml', text: [coreXml(spec.maker)] }
}

async function* pictureOf({ name, time }: NonNullable<WorkbookSpec['maker']>): AsyncGenerator<Uint8Array> {
  yield await watermarkPng([name, time.slice(0, 16)])
}

interface List {
  sheet: number
  key: string
  words: readonly string[]
  range: string
}

/** The words of every drop-down, each list in its own column of the hidden sheet from row 2 on. */
function listsOf({ sheets }: WorkbookSpec): List[] {
  const lists: List[] = []
  for (const [sheet, { columns, choices, openRows }] of sheets.entries()) {
    if (!openRows) continue
    for (const { key, choices: own } of columns) {
      const words = choices?.[key] ?? own ?? []
      const column = letters(lists.length)
      if (words.length > 0)
        lists.push({ sheet, key, words, range: `'${markSheet}'!$${column}$2:$${column}$${words.length + 1}` })
    }
  }
  return lists
}

function* markXml(template: WorkbookSpec['template'], lists: List[]): Generator<string> {
  yield `${header}<worksheet xmlns="${mainSpace}"><sheetData><row r="1">`
  if (template)
    yield [markSign, template.kind, String(template.version)]
      .map((text, at) => styledCell(`${letters(at)}1`, 'text', text))
      .join('')
  yield '</row>'
  const longest = Math.max(0, ...lists.map((list) => list.words.length))
  for (let at = 0; at < longest; at++) {
    const cells = lists.map((list, column) =>
      list.words[at] === undefined ? '' : styledCell(`${letters(column)}${at + 2}`, 'quoted', list.words[at]!),
    )
    yield `<row r="${at + 2}">${cells.join('')}</row>`
  }
  yield '</sheetData></worksheet>'
}

function workbookXml({ sheets }: WorkbookSpec, names: string[], hidden: boolean, written: Written[]): string {
  const tabs = names.map((name, at) => `<sheet name="${xmlText(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
  if (hidden)
    tabs.push(`<sheet name="${markSheet}" sheetId="${names.length + 1}" state="hidden" r:id="rId${names.length + 1}"/>`)
  const defined = sheets.flatMap(({ columns, hints }, at) => {
    const place = xmlText(`'${names[at]!.replace(/'/g, "''")}'`)
    const end = Math.max(1, written[at]!.rows + (hints ? 2 : 1))
    const filter = `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">${place}!$A$1:$${letters(columns.length - 1)}$${end}</definedName>`
    return [
      hints ? '' : filter,
      `<definedName name="_xlnm.Print_Titles" localSheetId="${at}">${place}!$1:$1</definedName>`,
    ]
  })
  return `${header}<workbook xmlns="${mainSpace}" xmlns:r="${relSpace}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${tabs.join('')}</sheets><definedNames>${defined.join('')}</definedNames></workbook>`
}

/** Names as the format allows them: at most 31 characters, none of `[]:*?/\`, all different. */
function sheetNames(sheets: readonly SheetSpec[]): string[] {
  const taken = new Set<string>([markSheet])
  return sheets.map(({ name }) => {
    const base =
      name
        .replace(/[[\]:*?/\\]/g, ' ')
        .replace(/^'|'$/g, '')
        .trim()
        .slice(0, 28) || 'Sheet'
    let unique = base
    for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${base} ${n}`
    taken.add(unique.toLowerCase())
    return unique
  })
}

function contentTypes(paths: string[]): string {
  const office = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const parts = [
    ['/xl/workbook.xml', `${office}.sheet.main+xml`],
    ['/xl/styles.xml', `${office}.styles+xml`],
    ['/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'],
    ...paths.map((path) => [`/xl/${path}`, `${office}.worksheet+xml`]),
  ]
  const overrides = parts.map(([name, type]) => `<Override PartName="${name}" ContentType="${type}"/>`).join('')
  return `${header}<Types xmlns="${packageSpace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>${overrides}</Types>`
}

function relations(targets: (readonly [type: string, target: string])[]): string {
  const items = targets.map(([type, target], at) => {
    const space = type.startsWith('metadata/') ? `${packageSpace}/relationships` : relSpace
    return `<Relationship Id="rId${at + 1}" Type="${space}/${type}" Target="${target}"/>`
  })
  return `${header}<Relationships xmlns="${packageSpace}/relationships">${items.join('')}</Relationships>`
}

function coreXml(maker: WorkbookSpec['maker']): string {
  const created = maker ? `<dcterms:created xsi:type="dcterms:W3CDTF">${isoText(maker.time)}</dcterms:created>` : ''
  return `${header}<cp:coreProperties xmlns:cp="${packageSpace}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:creator>${xmlText(maker?.name ?? '')}</dc:creator>${maker ? `<dc:description>${xmlText(`由 ${maker.name} 于 ${maker.time} 导出`)}</dc:description>` : ''}${created}</cp:coreProperties>`
}
