import { readFileSync } from 'node:fs'
import { growthSoFar } from './growth.ts'
import { median } from './load.ts'
import { rounded, type Part } from './report.ts'

/** An installation to think about: so many schools alike, each with so many students now, and years that are kept. */
export interface Installation {
  schools: number
  students: number
  years: number
}

/** What one of the largest tables takes: rows a student brings in a year, and bytes of a row. */
export interface TableParameters {
  rowsAYear: number
  bytes: number
  indexBytes: number
}

/** What the benches say, and what had to be assumed. Times are of one core of the machine that was measured. */
export interface Parameters {
  tables: Record<string, TableParameters>
  /** Bytes that a student takes in all other tables, however many years are kept. */
  otherBytes: number
  /** Processor milliseconds of a request, in a process of the service and in the database. */
  serviceMs: number
  databaseMs: number
  /** Seconds of a core that the nightly comparison takes for a thousand students, who have 7.5 supplements each. */
  checkSeconds: number
  /** Megabytes that a process keeps for the statistics of a thousand students: 43 for 40,000 (decision 035). */
  columnsMB: number
  /** Milliseconds that a search for one character asks of the database for each school in the same index. */
  searchMsASchool: number
  /** Rows a second of which an index is built (`creditLedger_earned`, 3.5 million rows in 9.2 s). */
  indexedASecond: number
}

/** Not measured but assumed; whoever knows an installation puts its own figures here. */
export const assumed = {
  /**
   * Requests of a student on a day, the share of them in the busiest hour, and its busiest minute in terms of its mean.
   */
  requestsADay: 10,
  inBusiestHour: 0.2,
  busiestMinute: 3,
  /** What share of a core may be busy in that minute. */
  utilisation: 0.6,
  /** Connections of a process, and the busy core's worth of requests that a process answers. */
  connectionsAProcess: 16,
  /** Room for the log, dead rows and sorting, in terms of the data. */
  room: 1.4,
  /** Years whose index pages should be in memory. */
  hotYears: 2,
  /** Megabytes a second at which a base backup is taken. */
  backupMBs: 200,
  /** Share of the schools whose statistics a process holds at once: those that were asked for in the last half hour. */
  schoolsHeld: 0.2,
  /** Years of students who have left, in terms of those who are there: four years make one of them. */
  studyYears: 4,
}

/** What an installation needs at its busiest, and in its nights. */
export interface Needs {
  students: number
  /** Rows of the largest table of the ledger, and of messages. */
  ledgerRows: number
  messageRows: number
  diskGB: number
  hotIndexGB: number
  requestsASecond: number
  serviceCores: number
  databaseCores: number
  connections: number
  /** Core hours of the database that the nightly comparisons of all schools take. */
  checkHours: number
  backupHours: number
  indexHours: number
  searchMs: number
  columnsGB: number
}

/** What an installation needs, out of the parameters alone. */
export function needsOf({ schools, students, years }: Installation, p: Parameters): Needs {
  const all = schools * students
  const rowsOf = (table: string): number => all * years * (p.tables[table]?.rowsAYear ?? 0)
  const bytes = Object.entries(p.tables).reduce((sum, [name, { bytes: each }]) => sum + rowsOf(name) * each, 0)
  const indexBytes = Object.entries(p.tables).reduce((sum, [name, t]) => sum + rowsOf(name) * t.indexBytes, 0)
  const others = all * p.otherBytes * Math.max(1, years / assumed.studyYears)
  const diskGB = ((bytes + others) * assumed.room) / 1e9
  const requestsASecond = (all * assumed.requestsADay * assumed.inBusiestHour * assumed.busiestMinute) / 3600
  const cores = (ms: number): number => (requestsASecond * ms) / 1000 / assumed.utilisation
  const serviceCores = cores(p.serviceMs)
  return {
    students: all,
    ledgerRows: rowsOf('creditLedger'),
    messageRows: rowsOf('informationReceiver'),
    diskGB,
    hotIndexGB: (indexBytes * Math.min(1, assumed.hotYears / years)) / 1e9,
    requestsASecond,
    serviceCores,
    databaseCores: cores(p.databaseMs),
    connections: Math.ceil(serviceCores) * assumed.connectionsAProcess,
    checkHours: (all / 1000) * Math.max(1, years / assumed.studyYears) * (p.checkSeconds / 3600),
    backupHours: (diskGB * 1000) / assumed.backupMBs / 3600,
    indexHours: rowsOf('creditLedger') / p.indexedASecond / 3600,
    searchMs: schools * p.searchMsASchool,
    columnsGB: (Math.max(1, schools * assumed.schoolsHeld) * students * p.columnsMB) / 1000 / 1000,
  }
}

/** A way to run it, with what it can hold. */
interface Stage {
  name: string
  /** What it costs: machines, and hours of a person in a month. */
  costs: string
  serviceCores: number
  databaseCores: number
  memoryGB: number
  diskGB: number
  connections: number
  /** How many databases share the schools: whatever grows with all schools is divided by it. */
  databases: number
}

const nodesAtMost = 64
const bigDatabase = { databaseCores: 32, memoryGB: 256, diskGB: 8000 }

/** The ways, each of which begins where the one before ends. */
export const stages: readonly Stage[] = [
  {
    name: 'one machine of 4 cores',
    costs: '1 machine (4 cores, 16 GB, 500 GB); 4 h a month',
    serviceCores: 2,
    databaseCores: 2,
    memoryGB: 8,
    diskGB: 500,
    connections: 100,
    databases: 1,
  },
  {
    name: 'one machine of 16 cores, WEB_CONCURRENCY',
    costs: '1 machine (16 cores, 64 GB, 2 TB); 4 h a month',
    serviceCores: 8,
    databaseCores: 8,
    memoryGB: 48,
    diskGB: 2000,
    connections: 200,
    databases: 1,
  },
  {
    name: 'database, standby and services apart',
    costs: '2 machines (32 cores, 256 GB, 8 TB), services of 32 cores, PgBouncer, balancer; 16 h a month',
    serviceCores: 32,
    ...bigDatabase,
    connections: 1000,
    databases: 1,
  },
  ...[2, 4, 8, 16, 32, nodesAtMost].map((workers): Stage => ({
    name: `Citus, ${workers} workers`,
    costs: `${2 * (workers + 1)} machines (32 cores, 256 GB, 8 TB, each with a standby), services of ${32 * workers} cores; ${20 + 4 * workers} h a month`,
    serviceCores: 32 * workers,
    databaseCores: bigDatabase.databaseCores * workers,
    memoryGB: bigDatabase.memoryGB * workers,
    diskGB: bigDatabase.diskGB * workers,
    connections: 1000 * workers,
    databases: workers,
  })),
]

/** Hours of a night in which the comparisons, and a base backup, have to be over; the bar of a search (S19). */
const bars = { checkHours: 4, backupHours: 8, indexHours: 4, searchMs: 30 }

/** What an installation strains in a stage, each as a share of what the stage can hold: above 1 it breaks. */
export function strainsOf(needs: Needs, stage: Stage): [what: string, share: number][] {
  const each = (value: number): number => value / stage.databases
  // half of the cores of the database may compare schools by night
  const lanes = stage.databaseCores / 2
  const all: [string, number][] = [
    ['cores of the service', needs.serviceCores / stage.serviceCores],
    ['cores of the database', needs.databaseCores / stage.databaseCores],
    ['connections', needs.connections / stage.connections],
    ['memory for indexes', needs.hotIndexGB / (stage.memoryGB * 0.6)],
    ['disk', needs.diskGB / stage.diskGB],
    ['nightly comparison', needs.checkHours / lanes / bars.checkHours],
    ['base backup in a night', each(needs.backupHours) / bars.backupHours],
    ['building an index of the ledger', each(needs.indexHours) / bars.indexHours],
    ['search in the index of all schools', each(needs.searchMs) / bars.searchMs],
  ]
  return all.toSorted(([, one], [, other]) => other - one)
}

/**
 * The first stage that holds an installation, and what breaks first in the one before it; undefined where none does.
 */
export function stageFor(needs: Needs): { stage: Stage | undefined; breaks: string } {
  const at = stages.findIndex((stage) => strainsOf(needs, stage)[0]![1] <= 1)
  const before = at === -1 ? stages.at(-1) : stages[at - 1]
  const breaks = before ? strainsOf(needs, before).filter(([, share]) => share > 1) : []
  return {
    stage: stages[at],
    breaks: breaks.map(([what, share]) => `${what} (${rounded(share)} times what ${before!.name} has)`)[0] ?? '',
  }
}

type Rows = { rows: Record<string, string | number>[] }

/** The parameters out of what the benches have kept: the comparison of the largest school, and the throughput. */
export function measuredParameters(): Parameters {
  const growth = growthSoFar()
  const [school, own] =
    Object.entries(growth)
      .filter(([, parts]) => parts['refresh'])
      .toSorted(([one], [other]) => parseInt(other) - parseInt(one))[0] ?? []
  if (!school || !own) throw new Error('measure first: npm run bench -- refresh')
  const students = parseInt(school)
  const kept = JSON.parse(readFileSync(new URL('results.json', import.meta.url), 'utf8')) as Record<string, Rows>
  const check = own['refresh']!.rows.find(({ what }) => what === 'comparison with the raw rows')!
  const loads = kept['throughput']!.rows.filter(
    ({ kind, connections }) => connections === 16 && (kind === 'list' || kind === 'detail'),
  )
  const ours = (cell: string | number | undefined): number => Number(String(cell).split(' / ')[0])
  const serviceMs = median(loads.map((row) => ours(row['CPU ms'])))
  // both cores are busy while it is measured: what the service and the asking program leave is the database's
  const databaseMs = median(
    loads.map((row) => (2 * 1000) / ours(row['req/s']) - ours(row['CPU ms']) - askingMs).filter((ms) => ms > 0),
  )
  return {
    tables: largest,
    otherBytes: 10_000,
    serviceMs,
    databaseMs,
    checkSeconds: Number(check['of the database s']) / (students / 1000),
    columnsMB: 43 / 40,
    searchMsASchool: 56 / 25,
    indexedASecond: 3.5e6 / 9.2,
  }
}

/** Processor milliseconds of the program that asks. */
const askingMs = 0.3
/**
 * Rows that a student brings in a year: 25 participations and 7.5 records in four years, and what the ledger has of
 * both, as in a school of 40,000, of which the bytes are too; and 100 messages, 30 sign-in days and 30 rows of the
 * trail (kept for three years), with the bytes that they have in a school of ten years (`storage`).
 */
const largest: Parameters['tables'] = {
  creditLedger: { rowsAYear: 22, bytes: 757, indexBytes: 380 },
  registration: { rowsAYear: 6.25, bytes: 398, indexBytes: 190 },
  supplement: { rowsAYear: 1.9, bytes: 1507, indexBytes: 1100 },
  informationReceiver: { rowsAYear: 100, bytes: 262, indexBytes: 162 },
  information: { rowsAYear: 20, bytes: 314, indexBytes: 122 },
  loginDay: { rowsAYear: 30, bytes: 350, indexBytes: 136 },
  auditLog: { rowsAYear: 9, bytes: 1224, indexBytes: 700 },
}

/** From one school of 40,000 students to three thousand: what each size needs, how it is run, what breaks first. */
export async function model(): Promise<Part> {
  const p = measuredParameters()
  const rows = [1, 3, 10, 30, 100, 300, 1000, 3000].map((schools): Part['rows'][number] => {
    const needs = needsOf({ schools, students: 40_000, years: 10 }, p)
    const { stage, breaks } = stageFor(needs)
    return {
      schools,
      'ledger, million rows': rounded(needs.ledgerRows / 1e6),
      'messages, million': rounded(needs.messageRows / 1e6),
      'disk GB': Math.round(needs.diskGB),
      'hot indexes GB': Math.round(needs.hotIndexGB),
      'requests a second': Math.round(needs.requestsASecond),
      'cores, service': rounded(needs.serviceCores),
      'cores, database': rounded(needs.databaseCores),
      'comparison, core hours': rounded(needs.checkHours),
      'how it is run': stage?.name ?? 'several installations',
      'what breaks first without it': breaks,
    }
  })
  return { title: 'Growth on paper: schools of 40,000 students, ten years kept', rows, missed: [] }
}
