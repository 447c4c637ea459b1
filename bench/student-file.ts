import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { studentSheet } from '../contract/school/people/people.sheets.ts'
import { headerOf } from '../contract/core/sheets.ts'

/** Where the students of the file belong: made beforehand in the school that imports it. */
export interface Place {
  collegeName: string
  majorName: string
  className: string
  suiGrade: string
}

/** The columns that are filled: all of the template but the parts of the home place below the province. */
const columns = studentSheet.columns.filter(({ key }) => key !== 'cityName' && key !== 'areaName')
type Cells = Record<string, string>

/**
 * A workbook of students as spreadsheet programs save it: every text in the table of shared strings, an attribute-laden
 * row element, a style on every cell. That is the form that costs most to read.
 * @param round changes the e-mail address of everybody, so that the same people are updated
 */
export async function studentWorkbook(count: number, places: readonly Place[], round = 0): Promise<Buffer> {
  const strings = new Map<string, number>()
  const at = (text: string) => strings.get(text) ?? strings.set(text, strings.size).get(text)!
  const row = (no: number, cells: string[]) =>
    `<row r="${no}" customFormat="false" ht="12.8" hidden="false" customHeight="false" outlineLevel="0" collapsed="false">${cells.map((cell, column) => `<c r="${String.fromCharCode(65 + column)}${no}" s="0" t="s"><v>${at(cell)}</v></c>`).join('')}</row>`
  const rows = [row(1, columns.map(headerOf))]
  for (let no = 0; no < count; no++) {
    const cells = student(no, places[no % places.length]!, round)
    rows.push(
      row(
        no + 2,
        columns.map(({ key }) => cells[key]!),
      ),
    )
  }
  return zipped({
    '_rels/.rels': `<Relationships><Relationship Id="a" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns:r="${relations}"><sheets><sheet name="Sheet1" sheetId="1" r:id="s"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="s" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="t" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst>${[...strings.keys()].map((text) => `<si><t xml:space="preserve">${text}</t></si>`).join('')}</sst>`,
  })
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const nations = ['汉族', '蒙古族', '回族', '藏族', '维吾尔族', '苗族', '彝族', '壮族']
const provinces = ['湖北省', '湖南省', '江苏省', '浙江省', '四川省', '河南省', '广东省', '山东省']

/** One student: everything is made from their number, so that a second file names the same people. */
function student(no: number, place: Place, round: number): Cells {
  const man = no % 2 === 0
  const birth = new Date(Date.UTC(2003, 0, 1 + Math.floor(no / 250))).toISOString().slice(0, 10)
  const suiNumber = `${place.suiGrade}${String(no).padStart(6, '0')}`
  return {
    suiNumber,
    suiName: `学生${no.toString(36)}`,
    suiSex: man ? '男' : '女',
    ...place,
    suiPolitical: no % 5 ? '共青团员' : '群众',
    suiNation: nations[no % 13] ?? '汉族',
    birth,
    suiPhone: `138${String(no).padStart(8, '0')}`,
    suiEmail: `s${suiNumber}${round || ''}@example.edu.cn`,
    suiIdCard: idCard(birth, (no % 250) * 2 + (man ? 1 : 0)),
    suiStudyYears: '4',
    suiEduLevel: '本科',
    provinceName: provinces[no % 8]!,
  }
}

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
function idCard(birth: string, serial: number): string {
  const digits = `110105${birth.replaceAll('-', '')}${String(serial).padStart(3, '0')}`
  return digits + '10X98765432'[weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0) % 11]
}

async function zipped(files: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return buffer(zip.outputStream as NodeJS.ReadableStream)
}
