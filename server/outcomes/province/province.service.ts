import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import { unknownSort } from '../../../contract/core/paging.ts'
import type { provinceApi } from '../../../contract/outcomes/province/province.calls.ts'
import {
  provinceScreens,
  provinceTables,
  type ProvinceScreen,
  type ProvinceTable,
} from '../../../contract/outcomes/province/province-tables.ts'
import { readSettings } from '../../../contract/school/school/setting-values.ts'
import { changeRate } from '../../../contract/outcomes/statistics/change.ts'
import { together } from '../../core/base/together.ts'
import { audit } from '../../core/audit/audit.ts'
import { provinceViewed } from '../../core/audit/reading-acts.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { figure, text, type ExportColumn } from '../../core/export/columns.ts'
import { exportList } from '../../core/export/exports.ts'
import type { Context } from '../../core/request/context.ts'
import { freshness } from '../statistics/answer-cache.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import type { CardKind } from '../statistics/figures.ts'
import {
  figuresOfSchool,
  hasEnoughStudents,
  screens,
  spansOf,
  type SchoolFigures,
  type Spans,
  type Told,
} from './school-figures.ts'
import { added, type Sums } from './screen.ts'

type FiguresInput = Pick<Checked<typeof provinceApi.info>, 'screen' | 'startTime' | 'endTime' | 'schoolIds'>
type Row = Output<typeof provinceApi.schools>['records'][number]

interface WorkingSchool {
  schoolId: string
  schName: string
  /** Whether it takes part. */
  isSharing: boolean
  /** Of its rollups, and until when every change is in them. */
  version: number
  asOf: string
}
interface School extends Omit<WorkingSchool, 'isSharing'> {
  state: Row['state']
}
interface ToldSchool extends School {
  figures: SchoolFigures
}

/** Schools that are worked out at the same time, so that one look takes no more of the pool than a few requests do. */
const atOnce = 4

/** Does something for each of many, some at a time, and gives the results in their order. */
async function eachSome<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const run = async () => {
    for (let at = next++; at < all.length; at = next++) results[at] = await work(all[at]!)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, run))
  return results
}

/** The schools that work, with the version of their rollups: two statements, however many there are. */
async function workingSchools(ctx: Context): Promise<WorkingSchool[]> {
  const schools = await ctx.db
    .selectFrom('school')
    .select(['schoolId', 'schName', 'settings'])
    .where('suspendedTime', 'is', null)
    .orderBy('createTime')
    .orderBy('schoolId')
    .execute()
  const { rows } = await sql<{ schoolId: string; version: number; asOf: string | null }>`
    select s."schoolId", s."statVersion"::float8 "version",
      case when exists (select from "statChange" c where c."schoolId" = s."schoolId") then s."asOf" end "asOf"
    from "statState" s
    where s."schoolId" = any(${schools.map(({ schoolId }) => schoolId)}::text[])`.execute(ctx.db)
  const states = new Map(rows.map((row) => [row.schoolId, row]))
  return schools.map(({ schoolId, schName, settings }) => {
    const known = states.get(schoolId)
    return {
      schoolId,
      schName,
      isSharing: readSettings(settings).provinceShare,
      version: known?.version ?? 0,
      asOf: known?.asOf ?? ctx.clock.now(),
    }
  })
}

/** Whether a school is told of: it takes part, and has enough students. */
const stateOf = async (
  ctx: Context,
  { schoolId, isSharing, version }: Pick<WorkingSchool, 'schoolId' | 'isSharing' | 'version'>,
): Promise<Row['state']> =>
  !isSharing ? 'withheld' : (await hasEnoughStudents(ctx, schoolId, version)) ? 'told' : 'few'

/** The schools that are asked about. @throws Failure where one of them is none that works here */
async function chosenSchools(ctx: Context, schoolIds: readonly string[] | undefined): Promise<School[]> {
  const all = await workingSchools(ctx)
  const unknown = schoolIds?.find((schoolId) => !all.some((school) => school.schoolId === schoolId))
  if (unknown !== undefined) throw new Failure('no-such-school', { schoolId: unknown })
  const chosen = schoolIds ? all.filter(({ schoolId }) => schoolIds.includes(schoolId)) : all
  return eachSome(chosen, async (school) => ({ ...school, state: await stateOf(ctx, school) }))
}

/** What is known of the schools asked about for one screen. */
interface Found {
  spans: Spans
  schools: readonly School[]
  told: readonly ToldSchool[]
  kinds: readonly CardKind<Sums>[]
}

async function found(ctx: Context, { screen, startTime, endTime, schoolIds }: FiguresInput): Promise<Found> {
  const spans = spansOf({ startTime, endTime }, ctx.clock.now())
  const schools = await chosenSchools(ctx, schoolIds)
  const told = await eachSome(
    schools.filter(({ state }) => state === 'told'),
    async (school) => ({
      ...school,
      figures: await figuresOfSchool(ctx, school.schoolId, screen, spans, school.version),
    }),
  )
  return { spans, schools, told, kinds: kindsOf(screen, told) }
}

/** The cards; those that the sums of all schools decide are named by what is told of each. */
const kindsOf = (screen: ProvinceScreen, told: readonly ToldSchool[]): readonly CardKind<Sums>[] => {
  const { kinds, same } = screens[screen]
  const sums = told.map(({ figures }) => figures.own).filter((own) => Object.values(own.told).some(Boolean))
  return kinds(
    added(
      sums.map((own) => own.sums),
      same,
    ),
  )
}

const isToldIn = (key: string, told: Told | null): told is Told => told !== null && told.told[key] !== false

/**
 * A card over schools: of those whose own card is told, so that nothing in it can be found by leaving a school out; it
 * is compared over those whose card was told then as well.
 */
function cardOver(
  kind: CardKind<Sums>,
  told: readonly ToldSchool[],
  same: readonly string[] | undefined,
): Output<typeof provinceApi.info>['cards'][number] {
  const { key, name, unit, definition, value, standing } = kind
  const counted = told.filter(({ figures }) => isToldIn(key, figures.own))
  const over = (all: readonly ToldSchool[], span: 'own' | 'previous' | 'lastYear') =>
    all.length === 0
      ? null
      : value(
          added(
            all.map(({ figures }) => figures[span]!.sums),
            same,
          ),
        )
  const compared = (span: 'previous' | 'lastYear') => {
    const both = counted.filter(({ figures }) => isToldIn(key, figures[span]))
    const before = standing ? null : over(both, span)
    return { before, rate: changeRate(over(both, 'own'), before) }
  }
  const [previous, lastYear] = [compared('previous'), compared('lastYear')]
  const left = told.length - counted.length
  return {
    key,
    name,
    unit,
    definition: left > 0 ? `${definition}；${left} 所学校因人数过少未计入` : definition,
    value: over(counted, 'own'),
    prev: previous.before,
    changeRate: previous.rate,
    lastYear: lastYear.before,
    lastYearRate: lastYear.rate,
  }
}

/** A school beside the others. */
function rowOf(school: School & { figures?: SchoolFigures }, kinds: readonly CardKind<Sums>[]): Row {
  const { schoolId, schName, state, asOf, figures } = school
  const own = figures?.own
  return {
    schoolId,
    schName,
    state,
    asOf,
    figures: Object.fromEntries(
      kinds.map(({ key, value }) => [key, own && isToldIn(key, own) ? value(own.sums) : null]),
    ),
    small: own ? kinds.flatMap(({ key }) => (isToldIn(key, own) ? [] : [key])) : [],
  }
}

const rowsOf = ({ schools, told, kinds }: Found): Row[] => {
  const known = new Map(told.map((school) => [school.schoolId, school]))
  return schools.map((school) => rowOf(known.get(school.schoolId) ?? school, kinds))
}

type SchoolRow = SchoolFigures['tables'][number]['rows'][number]

/** The tables of a screen over schools: of each figure of a row those schools that tell it. */
function tablesOf(screen: ProvinceScreen, told: readonly ToldSchool[]): Output<typeof provinceApi.info>['tables'] {
  const { columns = {} } = screens[screen]
  return (provinceTables[screen] as readonly ProvinceTable[]).map(({ key, order, columns: shown }) => {
    const rows = new Map<string, { id: string; name: string; of: SchoolRow[] }>()
    for (const { figures } of told)
      for (const own of figures.tables.find((table) => table.key === key)!.rows) {
        const row = rows.get(own.id) ?? { id: own.id, name: own.name, of: [] }
        rows.set(own.id, row)
        row.of.push(own)
      }
    /** A column over the schools that tell it. */
    const valueOf = (column: string, of: readonly SchoolRow[]): number | null => {
      const telling = of.filter(({ hidden }) => !hidden.has(column))
      if (telling.length === 0) return null
      const sums = added(telling.map((row) => row.sums))
      const calculated = columns[key]?.[column]
      return calculated ? calculated(sums) : (sums[column] ?? 0)
    }
    const all = [...rows.values()].map(({ id, name, of }) => ({
      id,
      name,
      small: of.filter(({ hidden }) => hidden.size > 0).length,
      values: Object.fromEntries(shown.map((column) => [column.key, valueOf(column.key, of)])),
    }))
    const first = shown[0]!.key
    return {
      key,
      rows:
        order === 'given'
          ? all
          : all.toSorted((a, b) =>
              order === 'name'
                ? a.id.localeCompare(b.id)
                : (b.values[first] ?? -1) - (a.values[first] ?? -1) || a.name.localeCompare(b.name, 'zh'),
            ),
    }
  })
}

/** Every look across schools stands in the trail, with the screen, the period and the schools. */
const looked = (ctx: Context, { screen, startTime, endTime, schoolIds }: FiguresInput, { schools, told }: Found) =>
  audit(ctx, {
    action: provinceViewed,
    bizName: provinceScreens.find(([key]) => key === screen)![1],
    after: {
      startTime,
      endTime,
      schools: schoolIds ? schoolIds.join('、') : '全部',
      asked: schools.length,
      counted: told.length,
    },
  })

/** One of the eight screens across schools: cards, schools side by side, and groups. */
export async function provinceInfo(
  ctx: Context,
  input: Checked<typeof provinceApi.info>,
): Promise<Output<typeof provinceApi.info>> {
  const known = await found(ctx, input)
  await looked(ctx, input, known)
  const { spans, schools, told, kinds } = known
  const { same } = screens[input.screen]
  return {
    cards: kinds.map((kind) => cardOver(kind, told, same)),
    asOf: told.reduce((least, { asOf }) => (asOf < least ? asOf : least), ctx.clock.now()),
    previous: spans.previous && { ...spans.previous, part: false },
    lastYear: spans.lastYear && { ...spans.lastYear, part: false },
    asked: schools.length,
    counted: told.length,
    schools: rowsOf(known),
    tables: tablesOf(input.screen, told),
  }
}

/** The schools in the order asked for: those without a figure last. @throws Failure for a figure that is none */
function sorted(
  { kinds, ...known }: Found,
  { sort, order }: Pick<Checked<typeof provinceApi.schools>, 'sort' | 'order'>,
): Row[] {
  const rows = rowsOf({ kinds, ...known })
  if (!sort) return rows
  if (!kinds.some(({ key }) => key === sort)) throw invalidInput([{ field: 'sort', msg: unknownSort }])
  const way = order === 'desc' ? -1 : 1
  return rows.toSorted((a, b) => {
    const [one, other] = [a.figures[sort] ?? null, b.figures[sort] ?? null]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return (one - other) * way
  })
}

/** The schools side by side, a page of them. */
export async function provinceSchools(
  ctx: Context,
  input: Checked<typeof provinceApi.schools>,
): Promise<Output<typeof provinceApi.schools>> {
  const known = await found(ctx, input)
  await looked(ctx, input, known)
  const rows = sorted(known, input)
  return asPage(rows.slice(offsetOf(input), offsetOf(input) + input.pageSize), rows.length, input)
}

const stateNames = { told: '', few: '学生过少，未计入', withheld: '未参加' } as const

/** The same as a workbook or comma-separated text, with the sums of the cards as its last row. */
export async function exportProvince(
  ctx: Context,
  input: Checked<typeof provinceApi.exportSchools>,
): Promise<FileAnswer> {
  const known = await found(ctx, input)
  const { kinds, told } = known
  const { same } = screens[input.screen]
  const title = provinceScreens.find(([key]) => key === input.screen)![1]
  const sums: Row = {
    schoolId: '',
    schName: '合计',
    state: 'told',
    asOf: '',
    figures: Object.fromEntries(kinds.map((kind) => [kind.key, cardOver(kind, told, same).value])),
    small: [],
  }
  const columns: ExportColumn<Row>[] = [
    text('学校名称', 'schName', 28),
    text('学校代码', 'schoolId', 16),
    ...kinds.map(({ key, name, unit }) => figure(`${name}（${unit}）`, (row: Row) => row.figures[key], 14)),
    text(
      '说明',
      ({ state, small }: Row) =>
        stateNames[state] ||
        (small.length > 0
          ? `人数过少不显示：${small.map((key) => kinds.find((kind) => kind.key === key)!.name).join('、')}`
          : ''),
      40,
    ),
    text('统计至', 'asOf', 20),
  ]
  async function* batches() {
    yield [...sorted(known, input), sums]
  }
  return exportList(ctx, { title: `全省统计_${title}`, what: '全省统计', columns, rows: batches(), filter: input })
}

/** The schools that can be chosen. */
export async function provinceOptions(ctx: Context): Promise<Output<typeof provinceApi.options>> {
  return (await workingSchools(ctx)).map(({ schoolId, schName, isSharing }) => ({
    id: schoolId,
    name: schName,
    isWithheld: !isSharing,
  }))
}

/** Which figures of the own school are given out: the very ones, with those that are too small marked. */
export async function ownProvinceFigures(
  ctx: Context,
  { startTime, endTime }: Checked<typeof provinceApi.own>,
): Promise<Output<typeof provinceApi.own>> {
  const { schoolId } = ctx.actor
  const spans = spansOf({ startTime, endTime }, ctx.clock.now())
  const [{ provinceShare }, { version }] = await together(schoolSettings(ctx, schoolId), freshness(ctx))
  const state = await stateOf(ctx, { schoolId, isSharing: provinceShare, version })
  const { operators, statisticsViewers } = ctx.config
  const shown = await eachSome(provinceScreens, async ([screen]) => {
    const figures = await figuresOfSchool(ctx, schoolId, screen, spans, version)
    const school: ToldSchool = { schoolId, schName: '', state, version, asOf: '', figures }
    const kinds = kindsOf(screen, [school])
    const { figures: values, small } = rowOf(school, kinds)
    return {
      screen,
      kinds: kinds.map(({ key, name, unit, definition }) => ({ key, name, unit, definition })),
      figures: values,
      small,
    }
  })
  return {
    state,
    isSeen: operators.length + statisticsViewers.length > 0,
    // of few students nothing is told; a school that does not take part sees what it would give
    screens: state === 'few' ? [] : shown,
  }
}
