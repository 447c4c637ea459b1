/**
 * The cell styles of every workbook we write. A style is known by its name; its number is its place in this list.
 * 49 is the built-in text format: student numbers and phones stay what was typed, leading zeros included.
 */
const styles = {
  plain: { font: 0, fill: 0, format: 0 },
  text: { font: 0, fill: 0, format: 49 },
  choice: { font: 0, fill: 0, format: 49 },
  /** Text that begins like a formula: the format's own mark that it is none. */
  quoted: { font: 0, fill: 0, format: 49, quote: true },
  date: { font: 0, fill: 0, format: 164 },
  moment: { font: 0, fill: 0, format: 165 },
  integer: { font: 0, fill: 0, format: 1 },
  amount: { font: 0, fill: 0, format: 0 },
  head: { font: 1, fill: 2, format: 49, centre: true },
  required: { font: 2, fill: 2, format: 49, centre: true },
  hint: { font: 3, fill: 3, format: 49, wrap: true },
  marked: { font: 4, fill: 4, format: 49, quote: true },
  reason: { font: 4, fill: 0, format: 49, wrap: true },
} as const satisfies Record<string, Style>

interface Style {
  font: number
  fill: number
  format: number
  quote?: boolean
  centre?: boolean
  wrap?: boolean
}

type StyleName = keyof typeof styles

const numbers = Object.fromEntries(Object.keys(styles).map((name, at) => [name, at])) as Record<StyleName, number>

/** The number by which a cell names its style. */
export const styleOf = (name: StyleName): number => numbers[name]

const font = (extra: string) => `<font>${extra}<sz val="11"/><name val="等线"/><family val="2"/></font>`
const coloured = (rgb: string, extra = '') =>
  `<font>${extra}<sz val="11"/><color rgb="FF${rgb}"/><name val="等线"/><family val="2"/></font>`
const solid = (rgb: string) =>
  `<fill><patternFill patternType="solid"><fgColor rgb="FF${rgb}"/><bgColor indexed="64"/></patternFill></fill>`

function xf({ font: fontId, fill, format, quote, centre, wrap }: Style): string {
  const alignment = `<alignment vertical="center"${centre ? ' horizontal="center"' : ''}${wrap ? ' wrapText="1"' : ''}/>`
  const border = fill > 1 ? 1 : 0
  return `<xf numFmtId="${format}" fontId="${fontId}" fillId="${fill}" borderId="${border}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"${quote ? ' quotePrefix="1"' : ''}>${alignment}</xf>`
}

const side = (name: string) => `<${name} style="thin"><color rgb="FFBFC7D1"/></${name}>`

export const stylesXml =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>' +
  `<fonts count="5">${font('')}${font('<b/>')}${coloured('B3261E', '<b/>')}${coloured('5F6B7A', '<i/>')}${coloured('9C0006')}</fonts>` +
  `<fills count="5"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>${solid('E3EAF4')}${solid('F5F7FA')}${solid('FFC7CE')}</fills>` +
  `<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border>${['left', 'right', 'top', 'bottom'].map(side).join('')}<diagonal/></border></borders>` +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${Object.keys(styles).length}">${Object.values(styles).map(xf).join('')}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
