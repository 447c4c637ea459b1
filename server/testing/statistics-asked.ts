import { expect } from 'vitest'
import type { Call, Input, Output } from '../../contract/core/call.ts'
import { changed, part } from './statistics-numbers.ts'
import { Oracle, type Facts, type Wanted } from './statistics-oracle.ts'
import { visibilityOf, type Asker } from './statistics-visibility.ts'
import { comparedWith, type Compared } from './statistics-spans.ts'

/**
 * What was compared of which call, and what was not: kept so that no figure is answered without a line in the oracle.
 */
export class Seen {
  readonly compared = new Map<string, Set<string>>()
  readonly shown = new Map<string, Set<string>>()

  note(path: string, expected: unknown, answer: unknown): void {
    paths(expected, '', this.of(this.compared, path))
    paths(answer, '', this.of(this.shown, path))
  }
  /** Fields that were answered and never compared, without those that name, describe or open something. */
  missed(): string[] {
    const known = new Set(['definition', 'unit', 'asOf', 'opens', 'opensStudent', 'current', 'pageSize', 'pages'])
    return [...this.shown].flatMap(([call, shown]) =>
      [...shown]
        .filter(
          (path) =>
            !this.of(this.compared, call).has(path) &&
            path !== '.cards.name' &&
            !known.has(path.slice(path.lastIndexOf('.') + 1)),
        )
        .map((path) => `${call} ${path}`),
    )
  }
  private of(all: Map<string, Set<string>>, call: string): Set<string> {
    return all.get(call) ?? all.set(call, new Set()).get(call)!
  }
}

function paths(value: unknown, under: string, into: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) paths(one, under, into)
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) paths(one, `${under}.${key}`, into)
  else into.add(under)
}

/** One person asking for one selection: what they are answered is compared with what the oracle says. */
export class CallInput {
  /** @param byDay whether a period is asked for by its days: one stands for its beginning or its end */
  constructor(
    readonly facts: Facts,
    readonly asker: Asker,
    readonly seen: Seen,
    readonly byDay = false,
  ) {}

  /** The school as the right behind a call shows it; undefined where they may not make it. */
  oracle(call: Call): Oracle | undefined {
    const sees = visibilityOf(this.asker, call.permit)
    return sees && new Oracle(this.facts, sees)
  }

  /** Whether a right reaches over all of the school. */
  isWhole(call: Call): boolean {
    return this.asker.roles.some(({ permits, area }) => area === 'whole' && permits.includes(call.permit))
  }

  send<C extends Call>(call: C, input: Input<C>): Promise<Output<C>> {
    const days = Object.fromEntries(
      Object.entries(input as Record<string, unknown>).map(([key, value]) => [
        key,
        this.byDay && (key === 'startTime' || key === 'endTime') ? String(value).slice(0, 10) : value,
      ]),
    )
    return this.asker.client.send(call, days as Input<C>)
  }

  /** Compares an answer with what it must say: lists in their order and to their end. */
  async same<C extends Call>(
    call: C,
    input: Input<C>,
    expected: unknown,
    ordered: (answer: Output<C>) => unknown = (answer) => answer,
  ): Promise<Output<C>> {
    const answer = await this.send(call, input)
    this.seen.note(call.path, expected, answer)
    expect(ordered(answer), `${this.asker.name} ${call.path} ${JSON.stringify(input)}`).toMatchObject(
      expected as object,
    )
    return answer
  }

  /**
   * Compares an answer with cards: each figure of the period, of the period before and of the year before, and by how
   * much it changed.
   * @param figures the cards of a period, by key in their order @param standing keys of those that no period changes
   *   @param isFlat whether the figures stand under their keys too
   */
  async cards<C extends Call>(
    call: C,
    input: Input<C> & Wanted,
    figures: (wanted: Wanted) => Record<string, number | null>,
    standing: readonly string[],
    rest: object,
    isFlat = false,
  ): Promise<void> {
    const answer = await this.send(call, input)
    const what = `${this.asker.name} ${call.path} ${JSON.stringify(input)}`
    const spans = comparedWith(input, this.facts.raw.term, this.facts.now)
    const of = (span: Compared | undefined) =>
      span ? figures({ ...input, startTime: span.startTime, endTime: span.endTime }) : undefined
    const [own, previous, lastYear] = [figures(input), of(spans?.previous), of(spans?.lastYear)]
    const passed = spans?.previous.part
      ? figures({ ...input, endTime: `${this.facts.now.slice(0, 10)} 23:59:59` })
      : own
    const expected = {
      cards: Object.entries(own).map(([key, value]) => {
        const [prev, last] = standing.includes(key) ? [null, null] : [previous?.[key] ?? null, lastYear?.[key] ?? null]
        return {
          key,
          value,
          prev,
          changeRate: changed(passed[key]!, prev),
          lastYear: last,
          lastYearRate: changed(passed[key]!, last),
        }
      }),
      previous: spans?.previous ?? null,
      lastYear: spans?.lastYear ?? null,
      ...(isFlat && own),
      ...rest,
    }
    this.seen.note(call.path, expected, answer)
    expect(answer, what).toMatchObject(expected)
  }

  /** Compares the pages of a list with all its rows in their order. */
  async list<C extends Call>(call: C, input: Input<C>, rows: readonly object[], pageSize = 200): Promise<void> {
    for (let current = 1; current === 1 || current <= Math.ceil(rows.length / pageSize); current++)
      await this.same(call, { ...(input as object), current, pageSize } as Input<C>, {
        records: rows.slice((current - 1) * pageSize, current * pageSize),
        total: rows.length,
      })
  }
}

/** Mean of stars. */
export const starMean = (stars: readonly number[]): number | null =>
  part(
    stars.reduce((sum, star) => sum + star, 0),
    stars.length,
  )
