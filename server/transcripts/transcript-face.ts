import type { TranscriptData } from '../../contract/transcripts/transcripts.schema.ts'
import { labelOf } from '../../contract/core/dictionary.ts'
import { radarShares, rimText } from '../../contract/transcripts/radar.ts'
import { drawQr, drawRadar, drawStars } from '../core/pdf/figures.ts'
import { fitSize, wrap } from '../core/pdf/lines.ts'
import { drawImage, frame, ink, write, writeLines, type Paper } from '../core/pdf/paper.ts'
import { drawTable, type Column } from '../core/pdf/table.ts'

/** The upper half of the first page: head, student, totals, modules and radar (DOMAIN 2.10). Each answers the height below it. */

const qrSize = 62

export function drawHead(paper: Paper, { schName, serial, verifyUrl, extract }: TranscriptData, badge?: Uint8Array): number {
  const { doc } = paper
  const { top, left, right, width } = frame
  if (badge) drawImage(paper, badge, left, top, qrSize - 8)
  if (verifyUrl) {
    drawQr(paper, verifyUrl, right - qrSize, top - 6, qrSize)
    write(paper, '扫码核验', right - qrSize, top + qrSize + 2, { size: 7, align: 'center', width: qrSize, color: ink.soft })
  }
  const middle = { align: 'center', width: width - 2 * qrSize - 16 } as const
  const x = left + qrSize + 8
  write(paper, schName, x, top + 14, { size: fitSize(schName, middle.width, 15, 9, 'bold'), weight: 'bold', color: ink.accent, ...middle })
  write(paper, '第二课堂成绩单', x, top + 42, { size: 23, weight: 'bold', spacing: 2, ...middle })
  write(paper, `编号 ${serial}`, x, top + 61, { size: 8.5, color: ink.soft, ...middle })
  let y = top + qrSize + 8
  if (extract) y = writeLines(paper, `（${extract}）`, left, y - 4, { size: 9, align: 'center', width }) + 3
  doc.moveTo(left, y).lineTo(right, y).lineWidth(1.4).stroke(ink.accent)
  doc.moveTo(left, y + 2.6).lineTo(right, y + 2.6).lineWidth(0.5).stroke(ink.accent)
  return y + 2.6
}

/** What stands on top of every page but the first, so that a loose sheet still tells whose it is. */
export function drawRunningHead(paper: Paper, { schName, student }: TranscriptData): number {
  const { left, right, top, width } = frame
  const style = { size: 8.5, color: ink.soft, width } as const
  const whose = `${student.suiName}  ${student.suiNumber}`
  const name = `${schName}第二课堂成绩单（续）`
  const size = Math.min(fitSize(name, width * 0.55, 8.5, 6), fitSize(whose, width * 0.43, 8.5, 6))
  write(paper, name, left, top, { ...style, size })
  write(paper, whose, left, top, { ...style, size, align: 'right' })
  paper.doc.moveTo(left, top + 6).lineTo(right, top + 6).lineWidth(0.8).stroke(ink.accent)
  return top + 16
}

export function drawStudent(paper: Paper, { student }: TranscriptData, top: number): number {
  const pairs: [string, string][] = [
    ['姓名', student.suiName],
    ['学号', student.suiNumber],
    ['性别', labelOf('sex', student.suiSex)],
    ['学院', student.suiCollegeName],
    ['专业', student.majorName],
    ['班级', student.scClassName],
    ['年级', student.suiGrade && `${student.suiGrade} 级`],
    ['培养层次', student.suiEduLevel ? labelOf('edu_level', student.suiEduLevel) : ''],
    ['学制', student.suiStudyYears ? `${student.suiStudyYears} 年` : ''],
    ['入学日期', student.suiEnterDate ?? ''],
    ['毕业日期', student.suiGraduateDate ?? ''],
    ...(student.suiPolitical ? ([['政治面貌', labelOf('political', student.suiPolitical)]] as [string, string][]) : []),
  ]
  const label = 48
  const widths = [170, 206, frame.width - 376] as const
  const rest = (n: number) => widths.slice(n).reduce((sum, width) => sum + width, 0)
  let y = top
  for (let start = 0; start < pairs.length; start += 3) {
    const row = pairs.slice(start, start + 3)
    const cells = row.map(([name, text], n) => {
      // the last of a short row takes the room that is left
      const width = n === row.length - 1 ? rest(n) : widths[n]!
      const value = text || '—'
      return { name, value, width, lines: wrap(value, width - label - 10, 9, name === '姓名' ? 'bold' : 'regular') }
    })
    const height = Math.max(...cells.map(({ lines }) => lines.length)) * 12 + 7
    let x = frame.left
    for (const { name, value, lines, width } of cells) {
      paper.doc.rect(x, y, label, height).fillAndStroke(ink.fill, ink.line)
      paper.doc.rect(x + label, y, width - label, height).lineWidth(0.5).stroke(ink.line)
      write(paper, name, x, y + height / 2 + 3, { size: 8.5, color: ink.soft, align: 'center', width: label })
      writeLines(paper, value, x + label + 5, y + (height - lines.length * 12) / 2, { size: 9, width: width - label - 10, leading: 12, weight: name === '姓名' ? 'bold' : 'regular' })
      x += width
    }
    y += height
  }
  return y
}

export function drawSummary(paper: Paper, { summary, conversions, asOf }: TranscriptData, top: number): number {
  const rank = summary.rankClass ? `班级排名 ${summary.rankClass}` : summary.rankMajor ? `专业排名 ${summary.rankMajor}` : ''
  const figures: [string, string, string][] = [
    ['总学时', summary.totalHours, `要求 ${summary.requiredHours}`],
    ['总学分', summary.totalCredit, `积分 ${summary.totalPoints}`],
    ['志愿时长', summary.volunteerHours, '小时'],
    ['是否达标', summary.pass ? '达标' : '未达标', `截至 ${asOf.slice(0, 10)}`],
    ...conversions.slice(0, 3).map(({ trName, toType, value }) => [trName, value, labelOf('convert_to', toType)] as [string, string, string]),
    ...(summary.grade !== null || rank ? [['综合等级', summary.grade ?? '—', rank] as [string, string, string]] : []),
  ]
  const width = frame.width / figures.length
  const height = 50
  figures.forEach(([name, value, note], n) => {
    const x = frame.left + n * width
    paper.doc.rect(x, top, width, height).lineWidth(0.5).stroke(ink.line)
    write(paper, name, x, top + 13, { size: fitSize(name, width - 6, 8, 5), color: ink.soft, align: 'center', width })
    write(paper, value, x, top + 31, { size: fitSize(value, width - 8, 15, 8, 'bold'), weight: 'bold', color: ink.accent, align: 'center', width })
    write(paper, note, x, top + 44, { size: fitSize(note, width - 6, 7.5, 5), color: ink.soft, align: 'center', width })
  })
  return top + height
}

type Module = TranscriptData['modules'][number]

/** The modules, beside the radar where there are at least three abilities. */
export function drawModules(paper: Paper, { modules, ability, modelled }: TranscriptData, top: number): number {
  if (modules.length === 0) return top
  const withRadar = ability.length >= 3
  const room = withRadar ? frame.width * 0.62 : frame.width
  const star = 9
  const shares = [0.28, 0.13, 0.13, 0.13, 0.21, 0.12].map((share) => share * room) as [number, number, number, number, number, number]
  const columns: Column<Module>[] = [
    { title: '模块', width: shares[0], cell: ({ lsName }) => lsName },
    { title: '要求学时', width: shares[1], align: 'center', cell: ({ required }) => required },
    { title: '已获学时', width: shares[2], align: 'center', cell: ({ have }) => have },
    { title: '项数', width: shares[3], align: 'center', cell: ({ count }) => String(count) },
    { title: '星级', width: shares[4], cell: ({ stars }) => ({ height: star, draw: (on, x, y, width, height) => drawStars(on, stars, x + (width - star * 5.48) / 2, y + (height - star) / 2, star) }) },
    { title: '达标', width: shares[5], align: 'center', cell: ({ pass, must }) => (pass ? '是' : must ? '否' : '选修') },
  ]
  const title = sectionTitle(paper, '模块完成情况', top, frame.left)
  const y = drawTable(paper, title, columns, [{ rows: modules }], { size: 8.5 })
  if (!withRadar) return y
  const left = frame.left + room + 14
  const width = frame.right - left
  sectionTitle(paper, '能力素质', top, left)
  const radius = Math.min(54, width / 2 - 40)
  const height = Math.max(y - title, 2 * radius + 44)
  const middle = title + (height - 10) / 2
  const compared = ability.every(({ avgCollege }) => avgCollege !== null)
  const { rim, shares: points } = radarShares(ability, modelled)
  drawRadar(paper, ability.map(({ name, score, color }, n) => ({ name: `${name} ${score}`, share: points[n]!.own, other: compared ? points[n]!.college! : undefined, color })), left + width / 2, middle, radius)
  write(paper, `${rimText(rim)}${compared ? '  实线：本人  虚线：学院平均' : ''}`, left, title + height - 1, { size: 7, color: ink.soft, align: 'center', width })
  return title + height
}

export function sectionTitle(paper: Paper, title: string, top: number, x: number): number {
  paper.doc.rect(x, top + 1, 3, 10).fill(ink.accent)
  write(paper, title, x + 7, top + 9.8, { size: 10, weight: 'bold' })
  return top + 17
}
