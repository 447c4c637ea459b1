import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Reply } from '../server/testing/client.ts'
import { recording, type Statement } from '../server/testing/recorded-statements.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import type { Clients } from './clients.ts'
import { quantile } from './load.ts'
import { openPlans } from './plans.ts'
import { isFullSize } from './prepare.ts'
import { listsToAsk, type Filter, type List, type Value } from './questions.ts'
import { machine, rounded, type Part } from './report.ts'

/** Milliseconds of PostgreSQL that one question to a list may cost, all its statements together. */
const bar = 20
/** Minutes after which no further pair of filters is asked; what comes before takes as long as it takes. */
const minutes = Number(process.env['BENCH_MINUTES'] ?? (isFullSize ? 12 : 0.5))
/** `BENCH_QUESTIONS=few`: without filters, and with each word that a list is searched for; no orders and no pairs. */
const isFew = process.env['BENCH_QUESTIONS'] === 'few'
/** Seconds that one list may take of one person before its pairs: a list of slow answers is known by then. */
const patience = 20
const pageSize = 20
const file = new URL('lists.json', import.meta.url)

/** What one question cost. */
interface Answered {
  question: string
  ms: number
  statements: number
  rowsRead: number
  rowsShown: number
  total: number
}
/** What is kept of a list. */
interface Kept {
  questions: number
  p50: number
  p95: number
  worst: number
  /** The question that cost the most, and what it read and showed. */
  of: string
  statements: number
  rowsRead: number
  rowsShown: number
}

/**
 * Database time of every list of the contract: without filters, page 50 and the last one, every filter alone, in every
 * order, and every two filters together; for frequent and rare values out of the data; as the administrator and as
 * somebody with one college.
 */
export async function lists(opened: OpenServices, clients: Clients): Promise<Part> {
  const began = Date.now()
  const { lists: all, left } = await listsToAsk(opened)
  const plans = await openPlans(opened.pool)
  const answers = new Map<string, Answered[]>()
  const warmed = new Map<string, number>()

  /**
   * Asks once and has every statement explained; undefined where the list refuses, `known` where it sends nothing but
   * texts that are known, as one does that has no order but its own.
   */
  async function ask(
    list: List,
    user: string,
    question: string,
    input: object,
    known?: ReadonlySet<string>,
  ): Promise<(Answered & { texts: ReadonlySet<string> }) | 'known' | undefined> {
    const client = await clients(user)
    if (Date.now() - (warmed.get(user) ?? 0) > 500) {
      await clients.warm(client)
      warmed.set(user, Date.now())
    }
    const asked = { pageSize, ...list.required, ...input }
    let reply: Reply | undefined
    const statements: Statement[] = await recording(async () => void (reply = await client.ask(list.call, asked)))
    if (reply?.code !== 200) return undefined
    const texts = new Set(statements.map(({ text }) => text))
    if (known && [...texts].every((text) => known.has(text))) return 'known'
    const { records, total } = reply.data as { records: unknown[]; total: number }
    const answered = {
      question: `${user}: ${question}`,
      ms: 0,
      statements: statements.length,
      rowsRead: 0,
      rowsShown: records.length,
      total,
    }
    for (const statement of statements) {
      const { ms, rowsRead } = await plans.costOf(statement)
      answered.ms += ms
      answered.rowsRead += rowsRead
    }
    answers.set(list.name, [...(answers.get(list.name) ?? []), answered])
    return { ...answered, texts }
  }
  /** Page 50 and the last page of what page 1 told the size of. */
  async function further(list: List, user: string, question: string, fields: object, total: number): Promise<void> {
    const last = Math.ceil(total / pageSize)
    for (const [page, name] of [
      [50, 'page 50'],
      [last, 'last page'],
    ] as const)
      if (page > 1 && page <= last) await ask(list, user, `${question}, ${name}`, { ...fields, current: page })
  }

  const pairs: (() => Promise<unknown>)[] = []
  for (const list of all) {
    for (const user of list.users) {
      const plain = await ask(list, user, 'no filter', {})
      if (!plain || plain === 'known') {
        left.push(`${list.name}: refused to ${user}`)
        continue
      }
      await further(list, user, 'no filter', {}, plain.total)
      const end = Date.now() + patience * 1000
      let skipped = 0
      /** Whether the list has had its time; what is not asked any more is counted. */
      const isOver = (): boolean => Date.now() > end && ++skipped > 0
      /** Of each filter the value that most rows hold. */
      const usual: { filter: Filter; value: Value; total: number }[] = []
      for (const filter of list.filters) {
        if (isFew && !filter.isSearched) continue
        let most: (typeof usual)[number] | undefined
        for (const value of filter.values) {
          if (isOver()) continue
          const answered = await ask(list, user, value.name, value.fields)
          if (answered && answered !== 'known' && (!most || answered.total > most.total))
            most = { filter, value, total: answered.total }
        }
        if (!most) continue
        usual.push(most)
        await further(list, user, most.value.name, most.value.fields, most.total)
      }
      for (const sort of list.sorts) {
        if (isFew || isOver()) continue
        const up = await ask(list, user, `by ${sort} asc`, { sort, order: 'asc' }, plain.texts)
        if (!up) continue
        const down = await ask(list, user, `by ${sort} desc`, { sort, order: 'desc' }, plain.texts)
        if (up === 'known' && down === 'known') break
      }
      if (skipped > 0)
        left.push(`${list.name}: ${skipped} values and orders for ${user}, ${patience} seconds were over`)
      for (const [at, one] of isFew ? [] : usual.entries())
        for (const other of usual.slice(at + 1))
          pairs.push(() =>
            ask(list, user, `${one.value.name}, ${other.value.name}`, { ...one.value.fields, ...other.value.fields }),
          )
    }
  }
  let asked = 0
  for (const pair of shuffled(pairs)) {
    if (Date.now() - began > minutes * 60_000) break
    await pair()
    asked++
  }
  plans.close()
  const unasked = pairs.length - asked
  if (unasked > 0) left.push(`${unasked} of ${pairs.length} pairs of filters: ${minutes} minutes were over`)
  return { ...report(answers, left, Date.now() - began), isPartial: isFew }
}

/** The same order in every run, of all lists mixed: where time runs out, every list has had its share. */
function shuffled<T>(items: readonly T[]): T[] {
  const all = [...items]
  let state = 20_260_101
  for (let at = all.length - 1; at > 0; at--) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    const other = Math.floor((state / 2 ** 32) * (at + 1))
    ;[all[at], all[other]] = [all[other]!, all[at]!]
  }
  return all
}

function report(answers: Map<string, Answered[]>, left: string[], took: number): Part {
  const now: Record<string, Kept> = Object.fromEntries(
    [...answers].map(([name, all]): [string, Kept] => {
      const times = all.map(({ ms }) => ms).sort((a, b) => a - b)
      const worst = all.reduce((most, one) => (one.ms > most.ms ? one : most))
      return [
        name,
        {
          questions: all.length,
          p50: rounded(quantile(times, 0.5)),
          p95: rounded(quantile(times, 0.95)),
          worst: rounded(worst.ms),
          of: worst.question,
          statements: Math.max(...all.map(({ statements }) => statements)),
          rowsRead: worst.rowsRead,
          rowsShown: worst.rowsShown,
        },
      ]
    }),
  )
  const before = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { lists: Record<string, Kept> }).lists
    : {}
  const names = Object.keys(now).toSorted((one, other) => now[other]!.worst - now[one]!.worst)
  const all = [...answers.values()].flat()
  const times = all.map(({ ms }) => ms).sort((a, b) => a - b)
  const rows = names.map((name) => {
    const { questions, p50, p95, worst, of, statements, rowsRead, rowsShown } = now[name]!
    const was = before[name]
    return {
      list: name,
      questions,
      statements,
      p50,
      p95,
      worst,
      'worst before': was?.worst ?? '',
      'rows read / shown': `${rowsRead} / ${rowsShown}`,
      'worst question': of,
    }
  })
  const over = all.filter(({ ms }) => ms > bar)
  for (const { question, ms, name } of [...answers]
    .flatMap(([name, some]) => some.filter(({ ms }) => ms > bar).map((one) => ({ ...one, name })))
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, 60))
    process.stdout.write(`${rounded(ms)} ms  ${name}  ${question}\n`)
  for (const one of left) process.stdout.write(`not asked: ${one}\n`)
  if (isFullSize && !isFew)
    for (const name of names) {
      const was = before[name]
      const is = now[name]!
      if (was && is.worst > was.worst * 1.5 && is.worst > was.worst + 5)
        process.stdout.write(`slower than in the kept run: ${name}: ${was.worst} -> ${is.worst} ms (${is.of})\n`)
    }
  if (isFullSize && !isFew)
    writeFileSync(
      file,
      `${JSON.stringify({ measured: new Date().toISOString().slice(0, 10), machine: machine(), lists: Object.fromEntries(names.toSorted().map((name) => [name, now[name]])) }, null, 1)}\n`,
    )
  return {
    title: `Every list: ${all.length} questions in ${Math.round(took / 1000)} s, milliseconds of database time; p50 ${rounded(quantile(times, 0.5))}, p95 ${rounded(quantile(times, 0.95))}, ${over.length} over ${bar}`,
    rows,
    missed: names
      .filter((name) => now[name]!.worst > bar)
      .map((name) => `${name}: ${now[name]!.worst} ms (${now[name]!.of}), ${bar} allowed`),
  }
}
