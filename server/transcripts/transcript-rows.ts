import { labelOf } from '../../contract/core/dictionary.ts'
import { groupByModule } from '../../contract/transcripts/groups.ts'
import { transcriptSources, transcriptStatuses, type TranscriptData, type TranscriptRow } from '../../contract/transcripts/transcripts.schema.ts'
import { widthOf, wrap } from '../core/pdf/lines.ts'
import { drawImage, frame, ink, roomFor, write, writeLines, type Paper } from '../core/pdf/paper.ts'
import { drawTable, type Column, type Section } from '../core/pdf/table.ts'
import { sectionTitle } from './transcript-face.ts'
import type { Printing } from './transcript-pdf.ts'

/** The lower half of a transcript: what was done, and the closing with notes and the places for seals (DOMAIN 2.10). */

const columns: Column<TranscriptRow>[] = [
  { title: '名称', width: 145, cell: ({ name }) => name },
  { title: '级别', width: 46, align: 'center', cell: ({ levelName }) => levelName },
  { title: '角色', width: 44, align: 'center', cell: ({ partakeMode }) => (partakeMode ? labelOf('partake_mode', partakeMode) : '') },
  { title: '奖项', width: 54, align: 'center', cell: ({ awardName }) => awardName },
  { title: '主办单位', width: 82, cell: ({ org }) => org },
  { title: '时间', width: 52, align: 'center', cell: ({ startTime }) => startTime.slice(0, 10) },
  { title: '学时/学分', width: 52, align: 'center', cell: ({ hours, credit }) => `${hours} / ${credit}` },
  { title: '来源', width: 36, align: 'center', cell: ({ source, status }) => transcriptSources[source] + (status === '1' ? '' : `\n${transcriptStatuses[status]}`) },
]

/** The rows by module in the order of the modules, within a module by date. */
export function drawRows(paper: Paper, { modules, rows }: TranscriptData, top: number): number {
  const y = sectionTitle(paper, '参与记录', roomFor(paper, top, 80), frame.left)
  if (rows.length === 0) return writeLines(paper, '暂无记录', frame.left, y, { size: 9, width: frame.width, align: 'center', color: ink.soft, leading: 24 })
  return drawTable(paper, y, columns, sectionsOf(modules, rows), { size: 8 })
}

/** The modules' groups as sections of the table. */
export const sectionsOf = (modules: TranscriptData['modules'], rows: TranscriptRow[]): Section<TranscriptRow>[] =>
  groupByModule(modules, rows).map(({ name, count, hours, credit, rows: own }) => ({ heading: `${name}（${count} 项，${hours} 学时，${credit} 学分）`, rows: own }))

/** Notes, the places for seals and signature, and how to check the paper; kept together on one page. */
export function drawClosing(paper: Paper, transcript: TranscriptData, { at, seal }: Printing, top: number): void {
  const { summary, asOf, serial, verifyUrl } = transcript
  const notes = [
    ...transcript.notes,
    ...transcript.conversions.map(({ trName, explain }) => `${trName}：${explain}。`),
    `成绩按评价规则第 ${summary.ruleVersion} 版计算，数据截至 ${asOf}。`,
    verifyUrl ? `核验：扫描首页二维码，或访问 ${verifyUrl} 核对编号 ${serial} 与本页所载内容；涂改无效。` : `核验：向学校共青团组织提供编号 ${serial} 核对；涂改无效。`,
  ].map((note, n) => `${n + 1}. ${note}`)
  const leading = 12
  const noteLines = notes.reduce((sum, note) => sum + wrap(note, frame.width, 8).length, 0)
  const height = 17 + noteLines * leading + 88
  let y = sectionTitle(paper, '说明', roomFor(paper, top, height), frame.left)
  for (const note of notes) y = writeLines(paper, note, frame.left, y, { size: 8, width: frame.width, leading, color: ink.soft })
  drawSeals(paper, at, y + 22, seal)
}

function drawSeals(paper: Paper, at: string, top: number, seal?: Uint8Array): void {
  const half = frame.width / 2
  const [year, month, day] = at.slice(0, 10).split('-').map(Number)
  const style = { size: 10, align: 'center', width: half } as const
  ;['学院团委（盖章）', '校团委（盖章）'].forEach((place, n) => write(paper, place, frame.left + n * half, top + 12, style))
  if (seal) drawImage(paper, seal, frame.left + half * 1.5 - 42, top - 30, 84)
  const label = '经办人（签字）：'
  const lineStart = frame.left + 44 + widthOf(label, 10)
  write(paper, label, frame.left + 44, top + 58, { size: 10 })
  paper.doc.moveTo(lineStart, top + 60).lineTo(lineStart + 90, top + 60).lineWidth(0.5).stroke(ink.line)
  write(paper, `打印日期：${year} 年 ${month} 月 ${day} 日`, frame.left + half, top + 58, style)
}
