import { setTimeout as sleep } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { labelOf } from '../../../contract/core/dictionary.ts'
import {
  transcript,
  transcriptSources,
  type TranscriptRow,
} from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import { sumOf } from '../../../contract/outcomes/transcripts/groups.ts'
import { rimOf } from '../../../contract/outcomes/transcripts/radar.ts'
import { readSettings } from '../../../contract/school/school/setting-values.ts'
import { starsOf } from '../../../contract/outcomes/transcripts/stars.ts'
import { pdfFonts, pdfText, pdfWords } from '../../testing/pdf.ts'
import { transcriptPdf } from './transcript-pdf.ts'
import { sectionsOf } from './transcript-rows.ts'
import { sampleTranscript } from '../../testing/transcript-sample.ts'

const printing = { byName: '管理员王喆', at: '2026-11-20 09:31:05' }
const pdfOf = async (...all: ReturnType<typeof sampleTranscript>[]) => buffer(await transcriptPdf(all, printing))
const bare = (text: string) => text.replace(/\s+/g, '')
const rowText = (row: TranscriptRow) =>
  bare(
    row.name +
      row.levelName +
      (row.partakeMode ? labelOf('partake_mode', row.partakeMode) : '') +
      row.awardName +
      row.org +
      row.startTime.slice(0, 10) +
      `${row.hours}/${row.credit}` +
      transcriptSources[row.source],
  )

describe('the transcript as PDF', () => {
  test('says exactly what the data says, row by row, in real text', async () => {
    const data = transcript.parse(sampleTranscript())
    const pdf = await pdfOf(data)
    const words = await pdfWords(pdf)
    const { student, summary } = data
    for (const text of [
      student.suiName,
      student.suiNumber,
      student.suiCollegeName,
      student.majorName,
      student.scClassName,
      data.serial,
      data.schName,
    ])
      expect(words).toContain(bare(text))
    expect(words).toContain(`总学时${summary.totalHours}要求${summary.requiredHours}总学分${summary.totalCredit}`)
    for (const { lsName, required, have, count, pass, must } of data.modules)
      expect(words).toContain(`${lsName}${required}${have}${count}${pass ? '是' : must ? '否' : '选修'}`)

    // the table holds the rows of the data in order and nothing besides them, heads and footers
    const pages = (await pdfText(pdf)).split('\f').map(bare)
    const body = pages
      .map((page) =>
        page.slice(page.indexOf('名称级别角色奖项主办单位时间学时/学分来源') + 21, page.indexOf('编号10999', 100)),
      )
      .join('')
      .replace(/说明1\..*$/, '')
    const meant = sectionsOf(data.modules, data.rows)
    expect(body).toBe(
      meant
        .map(
          ({ heading, rows }) =>
            bare(heading!) + rows.map((row) => rowText(row) + (row.status === '2' ? '质疑中' : '')).join(''),
        )
        .join(''),
    )
  })

  test('embeds subsets of its fonts only', async () => {
    const fonts = await pdfFonts(await pdfOf(sampleTranscript()))
    expect(fonts.length).toBeGreaterThanOrEqual(3)
    for (const font of fonts) expect(font).toMatchObject({ embedded: true, subset: true, unicode: true })
  })

  test('numbers its pages per student and names the person who printed on each', async () => {
    const pdf = await pdfOf(
      sampleTranscript(),
      sampleTranscript({ rows: 2, student: { suiName: '买买提·艾力', suiNumber: '2023010102' } }),
    )
    const pages = (await pdfText(pdf)).trimEnd().split('\f')
    const numbers = pages.map((page) => /第 (\d+) 页 共 (\d+) 页/.exec(page)!.slice(1).join('/'))
    expect(numbers).toEqual(['1/4', '2/4', '3/4', '4/4', '1/1'])
    for (const page of pages) expect(page).toContain('打印人 管理员王喆 2026-11-20 09:31:05')
    for (const page of pages.slice(1, 4)) expect(page).toContain('（续）')
    expect(pages[4]).toContain('买买提·艾力')
    // one bookmark a student; titles are UTF-16 text objects
    const titles = [...pdf.toString('latin1').matchAll(/\/Title \((\xfe\xff[^]*?)\)\n/g)].map((match) =>
      Buffer.from(match[1]!, 'latin1').subarray(2).swap16().toString('utf16le'),
    )
    expect(titles).toEqual(expect.arrayContaining(['2023010101 𠮷田䶮㛃喆', '2023010102 买买提·艾力']))
  })

  test.each(['zh', 'en'] as const)('what fits on one page stays on it, notes and seals too: %s', async (lang) => {
    const pagesOf = async (rows: number) => {
      const data = sampleTranscript({ rows })
      const [mark] = data.conversions
      const pdf = await pdfOf({
        ...data,
        lang,
        digest: 'd'.repeat(64),
        conversions: ['学时折算学分', '第二课堂成绩', '志愿服务星级'].map((trName) => ({ ...mark!, trName })),
      })
      return (await pdfText(pdf)).trimEnd().split('\f')
    }
    for (const rows of [0, 1, 3]) {
      const pages = await pagesOf(rows)
      expect(pages, `${rows} records`).toHaveLength(1)
      expect(bare(pages[0]!)).toContain(lang === 'zh' ? '校团委（盖章）' : 'Universitycommittee(seal)')
      expect(bare(pages[0]!).includes('giveninChinese,astheyarerecorded')).toBe(lang === 'en')
    }
    expect((await pagesOf(30)).length).toBeGreaterThan(1)
  })

  test('a student without any record gets a transcript that says so', async () => {
    const empty = sampleTranscript({ rows: 0, verifyUrl: null })
    const words = await pdfWords(
      await pdfOf({
        ...empty,
        modules: [],
        ability: [],
        notes: [],
        extract: '2025-2026 学年',
        student: { ...empty.student, suiEnterDate: null, suiPolitical: null },
      }),
    )
    expect(words).toContain('暂无记录')
    expect(words).toContain('（2025-2026学年）')
    expect(words).not.toContain('扫码核验')
    expect(words).not.toContain('政治面貌')
  })

  test('very long names run over several lines and stay whole', async () => {
    const data = sampleTranscript({
      rows: 1,
      student: {
        suiName: '阿不都热合曼·阿不力米提·买买提明·图尔荪江',
        majorName: '数据科学与大数据技术（中外合作办学，与某某理工大学联合培养，四年制本科）',
      },
    })
    data.schName = '一所名字特别长的、为了看看抬头会不会撞上二维码的应用技术师范大学（筹）'
    data.rows[0]!.name = '很长的活动名称'.repeat(28)
    const words = await pdfWords(await pdfOf(data))
    for (const text of [data.student.suiName, data.student.majorName, data.schName, data.rows[0]!.name])
      expect(words).toContain(text)
  })

  test('a character that no font holds is refused by name before anything is sent', async () => {
    const data = sampleTranscript({ rows: 2 })
    data.rows[1]!.name = '迎新晚会🎉'
    await expect(transcriptPdf([data], printing)).rejects.toMatchObject({
      reason: 'unprintable-text',
      msg: expect.stringContaining('🎉'),
    })
  })

  test('a hundred transcripts leave the event loop free', async () => {
    const all = Array.from({ length: 100 }, (_, n) =>
      sampleTranscript({ rows: 40, student: { suiNumber: String(2023010000 + n) } }),
    )
    await pdfOf(all[0]!)
    let [turns, isDrawing] = [0, true]
    const turn = () => {
      turns++
      if (isDrawing) setImmediate(turn)
    }
    setImmediate(turn)
    expect((await pdfOf(...all)).length).toBeGreaterThan(100_000)
    isDrawing = false
    // others get their turn at least twice a student, whatever the machine does besides
    expect(turns).toBeGreaterThan(2 * all.length)
  })

  test('drawing ends when the reader goes away', async () => {
    const all = Array.from({ length: 50 }, () => sampleTranscript())
    const pdf = await transcriptPdf(all, printing)
    pdf.once('data', () => pdf.destroy())
    await new Promise((closed) => pdf.once('close', closed))
    await sleep(50)
    const used = process.cpuUsage()
    await sleep(200)
    expect(process.cpuUsage(used).user).toBeLessThan(100_000)
  })
})

describe('rows', () => {
  test('follow their modules and their dates; modules given up come last', () => {
    const data = sampleTranscript({ rows: 20 })
    data.rows.push({
      ...data.rows[0]!,
      recId: 'old',
      moduleId: 'gone',
      moduleName: '旧模块',
      hours: '-1.5',
      credit: '-0.15',
      source: 'REVERSE',
    })
    const sections = sectionsOf(data.modules, data.rows)
    expect(sections.at(-1)!.heading).toBe('旧模块（1 项，-1.5 学时，-0.15 学分）')
    expect(sections.slice(0, -1).map(({ heading }) => heading!.split('（')[0])).toEqual(
      data.modules.map(({ lsName }) => lsName),
    )
    for (const { rows } of sections)
      expect(rows.map(({ startTime }) => startTime)).toEqual(rows.map(({ startTime }) => startTime).toSorted())
    expect(sections.flatMap(({ rows }) => rows)).toHaveLength(21)
  })

  test('sums are exact', () => {
    expect(sumOf(Array.from({ length: 10 }, () => '0.1'))).toBe('1')
    expect(sumOf(['2.5', '-0.25', '0.03'])).toBe('2.28')
    expect(sumOf([])).toBe('0')
  })

  test.each([
    [0, 800, 0],
    [1, 800, 1],
    [399, 800, 1],
    [400, 800, 2],
    [799, 800, 2],
    [800, 800, 3],
    [1200, 800, 4],
    [1600, 800, 5],
    [500, 0, 0],
    [-100, 800, 0],
  ])('%i of %i hundredths earn %i stars', (have, required, stars) =>
    expect(starsOf(have, required, readSettings({}).starSteps)).toBe(stars),
  )

  test.each([
    [[], 1],
    [['0', '0'], 1],
    [['0.4', '1'], 1],
    [['1.01'], 2],
    [['4.1', '5.3'], 10],
    [['12'], 20],
    [['51', '49'], 100],
  ])('scores %j have their rim at %i', (scores, rim) => expect(rimOf(scores)).toBe(rim))
})
