import type pg from 'pg'
import type { Call, Input } from '../contract/core/call.ts'
import { yesNo } from '../contract/core/codes/platform.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../contract/programme/lessons/registration.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { transcriptApi } from '../contract/outcomes/transcripts/transcripts.calls.ts'
import { titleContains } from '../server/core/database/paging.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import type { Clients } from './clients.ts'
import { databaseTime } from './database-time.ts'
import { benchSchool, crowdedLesson, size } from './prepare.ts'
import { recording, type Statement } from '../server/testing/recorded-statements.ts'
import { rounded, type Part } from './report.ts'

/**
 * Bars: milliseconds of database time for a search and for any page of a list (docs/security.md S19), and what page
 * 1,000 may cost in terms of page 1.
 */
const bars = { search: 30, page: 500, deep: 3 }

/** The statements a call sends, as the service prepared them. */
async function statementsOf<C extends Call>(clients: Clients, call: C, input: Input<C>): Promise<Statement[]> {
  const client = await clients('admin')
  await clients.warm(client)
  return recording(async () => void (await client.send(call, input)))
}

async function timesOf(pool: pg.Pool, statements: readonly Pick<Statement, 'text' | 'values'>[]): Promise<number[]> {
  const times: number[] = []
  for (const statement of statements) times.push(await databaseTime(pool, statement))
  return times
}

/**
 * Database time of substring searches for words that many and that few rows hold: each statement of a search by itself.
 */
export async function searching({ services, pool }: OpenServices, clients: Clients): Promise<Part> {
  const part: Part = { title: 'Chinese substring search, milliseconds of database time', rows: [], missed: [] }
  const add = async (
    where: string,
    rows: number,
    word: string,
    statements: readonly Pick<Statement, 'text' | 'values'>[],
  ) => {
    const times = await timesOf(pool, statements)
    part.rows.push({
      'searched in': where,
      rows,
      word,
      'each statement': times.map(rounded).join(' + '),
      longest: rounded(Math.max(...times)),
    })
    if (Math.max(...times) > bars.search)
      part.missed.push(`${word} in ${where}: ${rounded(Math.max(...times))} ms, ${bars.search} allowed`)
  }
  for (const word of ['急救', '数学建模', '王小', '江苏赛区蓝桥杯']) {
    const found = services.db
      .selectFrom('supplement')
      .where('schoolId', '=', benchSchool)
      .where('delFlag', '=', yesNo.no)
      .where(titleContains('supplement.lisName', word))
    const page = found.select('lisId').orderBy('createTime', 'desc').orderBy('lisId').limit(20).compile()
    const count = found.select((eb) => eb.fn.countAll<number>().as('total')).compile()
    await add(
      'supplements',
      size.supplements,
      word,
      [page, count].map(({ sql, parameters }) => ({ text: sql, values: [...parameters] })),
    )
  }
  for (const word of ['王', '小明'])
    await add(
      'students',
      size.students,
      word,
      await statementsOf(clients, studentApi.list, { suiName: word, pageSize: 20 }),
    )
  for (const word of ['竞赛', '马拉松'])
    await add(
      'courses',
      size.lessons,
      word,
      await statementsOf(clients, lessonApi.view, { liName: word, pageSize: 20 }),
    )
  return part
}

/** Database time of page 1 and page 1,000 (20 rows each) of the long lists, all statements of a page together. */
export async function deepPages({ pool }: OpenServices, clients: Clients): Promise<Part> {
  const part: Part = {
    title: 'Page 1 and page 1,000, milliseconds of database time for all statements of a page',
    rows: [],
    missed: [],
  }
  const { liId } = await crowdedLesson(pool)
  const lists: [string, (current: number) => Promise<Statement[]>][] = [
    ['courses (10 a page)', (current) => statementsOf(clients, lessonApi.view, { current, pageSize: 10 })],
    [
      'participants of a course',
      (current) => statementsOf(clients, registrationApi.view, { liId, current, pageSize: 20 }),
    ],
    ['students', (current) => statementsOf(clients, studentApi.list, { current, pageSize: 20 })],
    ['transcripts', (current) => statementsOf(clients, transcriptApi.list, { current, pageSize: 20 })],
    ['scores of all students', (current) => statementsOf(clients, transcriptApi.stuScore, { current, pageSize: 20 })],
  ]
  for (const [list, statements] of lists) {
    const [first, deep] = [await timesOf(pool, await statements(1)), await timesOf(pool, await statements(1000))]
    const sum = (times: number[]) => times.reduce((all, one) => all + one, 0)
    const ratio = sum(deep) / sum(first)
    part.rows.push({
      list,
      'page 1': first.map(rounded).join(' + '),
      'page 1,000': deep.map(rounded).join(' + '),
      ratio: rounded(ratio),
    })
    for (const [page, times] of [
      ['1', first],
      ['1,000', deep],
    ] as const)
      if (sum(times) > bars.page)
        part.missed.push(`${list}: page ${page} takes ${rounded(sum(times))} ms of the database, ${bars.page} allowed`)
    if (ratio > bars.deep)
      part.missed.push(`${list}: page 1,000 costs ${rounded(ratio)} times page 1, ${bars.deep} allowed`)
  }
  return part
}
