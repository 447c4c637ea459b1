import type { FileChild, IParagraphOptions, IRunOptions } from 'docx'
import { tile } from '../../core/pdf/watermark.ts'
import { chartHeight, chartWidth } from './chart-picture.ts'
import type { ReportTable } from './report-content.ts'
import type { Setting } from './report-pdf.ts'

/** Twips: twentieths of a point. */
const twips = 20
const width = chartWidth * twips
const accent = '1D3F72'
const line = { style: 'single', size: 4, color: 'A6A6A6' } as const
/** Sizes of text here are half points. */
const pixelsOf = (points: number): number => Math.round((points * 96) / 72)

/**
 * The same report as a document that can be written on: headings, paragraphs and tables are Word's own, charts are
 * pictures.
 */
export async function reportDocx({ report, pictures, watermark, maker, at }: Setting): Promise<Buffer> {
  // read with the first document only
  const {
    AlignmentType,
    Document,
    Footer,
    Header,
    HeadingLevel,
    HorizontalPositionRelativeFrom,
    ImageRun,
    PageNumber,
    Packer,
    Paragraph,
    Table,
    TableCell,
    TableRow,
    TextRun,
    VerticalPositionRelativeFrom,
    WidthType,
  } = await import('docx')
  const paragraph = (text: string, run: IRunOptions = {}, options: IParagraphOptions = {}) =>
    new Paragraph({ spacing: { after: 80, line: 340 }, ...options, children: [new TextRun({ text, ...run })] })
  const image = (data: Buffer, points: { width: number; height: number }, name: string) =>
    new ImageRun({
      type: 'png',
      data,
      transformation: { width: pixelsOf(points.width), height: pixelsOf(points.height) },
      altText: { name, title: name, description: name },
    })

  const table = ({
    heads: headers,
    rows,
    widths = headers.map((_, column) => (column === 0 ? 2 : 1)),
  }: ReportTable) => {
    const whole = widths.reduce((sum, one) => sum + one, 0)
    const columnWidths = widths.map((one) => Math.round((width * one) / whole))
    const cell = (text: string, column: number, isHead: boolean) =>
      new TableCell({
        width: { size: columnWidths[column]!, type: WidthType.DXA },
        margins: { left: 80, right: 80, top: 30, bottom: 30 },
        ...(isHead && { shading: { fill: 'F0F2F5' } }),
        children: [
          new Paragraph({
            alignment: isHead
              ? AlignmentType.CENTER
              : column === 0 || widths[column]! > 1.5
                ? AlignmentType.LEFT
                : AlignmentType.RIGHT,
            children: [new TextRun({ text, size: 18, bold: isHead })],
          }),
        ],
      })
    return new Table({
      width: { size: width, type: WidthType.DXA },
      columnWidths,
      borders: { top: line, bottom: line, left: line, right: line, insideHorizontal: line, insideVertical: line },
      rows: [headers, ...rows].map(
        (cells, row) =>
          new TableRow({
            tableHeader: row === 0,
            cantSplit: true,
            children: cells.map((text, column) => cell(text, column, row === 0)),
          }),
      ),
    })
  }

  const left = [...pictures]
  const body: FileChild[] = [
    paragraph(
      report.title,
      { size: 44, bold: true, color: accent },
      { alignment: AlignmentType.CENTER, heading: HeadingLevel.TITLE },
    ),
    paragraph(
      report.facts.join('    '),
      { size: 19, color: '595959' },
      { alignment: AlignmentType.CENTER, spacing: { after: 240 } },
    ),
  ]
  for (const { title, text, charts, tables } of report.sections) {
    body.push(
      paragraph(
        title,
        { size: 26, bold: true, color: accent },
        { heading: HeadingLevel.HEADING_1, keepNext: true, spacing: { before: 240, after: 120 } },
      ),
    )
    for (const one of text) body.push(paragraph(one, {}, { indent: { firstLine: 420 } }))
    for (const chart of charts)
      body.push(
        new Paragraph({
          spacing: { before: 80, after: 80 },
          alignment: AlignmentType.CENTER,
          children: [image(left.shift()!, { width: chartWidth, height: chartHeight(chart) }, chart.title)],
        }),
      )
    for (const one of tables) body.push(table(one), new Paragraph({ spacing: { after: 60 }, children: [] }))
  }

  // the tile of the PDF, three times down the page and behind its text
  const marks = [0, 1, 2].map(
    (row) =>
      new ImageRun({
        type: 'png',
        data: watermark,
        transformation: { width: pixelsOf(tile.width), height: pixelsOf(tile.height) },
        altText: { name: '水印', title: '水印', description: maker },
        floating: {
          behindDocument: true,
          horizontalPosition: { relative: HorizontalPositionRelativeFrom.PAGE, offset: Math.round(68 * 12_700) },
          verticalPosition: {
            relative: VerticalPositionRelativeFrom.PAGE,
            offset: Math.round((40 + row * (tile.height + 20)) * 12_700),
          },
        },
      }),
  )
  const document = new Document({
    title: `${report.title} ${report.facts[1]}`,
    creator: maker,
    lastModifiedBy: maker,
    description: `导出于 ${at}`,
    styles: {
      default: {
        document: {
          run: {
            size: 21,
            font: { ascii: 'Arial', hAnsi: 'Arial', eastAsia: '微软雅黑' },
            language: { value: 'zh-CN', eastAsia: 'zh-CN' },
          },
        },
      },
    },
    sections: [
      {
        properties: {
          page: {
            size: { width: 11_906, height: 16_838 },
            margin: { top: 42 * twips, bottom: 54 * twips, left: 42 * twips, right: 42 * twips },
          },
        },
        headers: { default: new Header({ children: [new Paragraph({ children: marks })] }) },
        footers: {
          default: new Footer({
            children: [
              new Paragraph({
                alignment: AlignmentType.CENTER,
                children: [
                  new TextRun({
                    size: 15,
                    color: '595959',
                    children: [`导出人 ${maker}    第 `, PageNumber.CURRENT, ' 页，共 ', PageNumber.TOTAL_PAGES, ' 页'],
                  }),
                ],
              }),
            ],
          }),
        },
        children: body,
      },
    ],
  })
  return Packer.toBuffer(document)
}
