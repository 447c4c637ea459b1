import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import { backgroundStatus, backupStatus, deliveryStatus, jobStatus } from '../../../contract/core/codes/platform.ts'
import { diskRooms } from '../base/disk-places.ts'
import { telemetry } from '../base/telemetry.ts'
import type { ReplicaState } from '../database/replica.ts'
import type { AppServices } from '../http/http.ts'
import { walArchiveState, type WalArchiveState } from '../database/wal-archive-state.ts'
import { ofWorkingSchool } from '../database/tenant.ts'
import { isFailing } from '../jobs/jobs.ts'

/** What one process measures, in the form in which processes hand it to each other. */
export type Measured = MetricObjectWithValues<MetricValue<string>>[]

interface Options {
  services: Pick<AppServices, 'db' | 'healthDb' | 'config' | 'clock' | 'signals' | 'replica'>
  pool: pg.Pool
  /** What the process is called beside others of the program: `main`, or `web-` and its number. */
  process: string
  version: string
  /** Milliseconds from which on a statement counts as slow. */
  slowMs: number
  /** Whether it also tells what all processes have in common: jobs, the disk, the database. */
  isMain: boolean
}

/** Measures of a process while somebody wants them. */
export interface Metrics {
  read(): Promise<Measured>
  close(): void
}

const requestBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const statementBuckets = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]

/**
 * Begins to measure. The library is loaded here and not before, so that who wants no metrics has none of it. Labels are
 * bounded: calls of the contract, kinds of jobs, classes of statuses; never people or schools.
 */
export async function openMetrics(options: Options): Promise<Metrics> {
  const { Registry: NewRegistry, collectDefaultMetrics } = await import('prom-client')
  const register = new NewRegistry()
  collectDefaultMetrics({ register, labels: { process: options.process } })
  const unhear = await measureRequests(register, options)
  await measureProcess(register, options)
  if (options.isMain) await measureInstallation(register, options)
  return { read: () => register.getMetricsAsJSON(), close: () => unhear.forEach((stop) => stop()) }
}

/** The measures of several processes as one page in Prometheus's text format; counts are added up. */
export async function pageOf(measured: Measured[]): Promise<{ type: string; text: string }> {
  const { AggregatorRegistry } = await import('prom-client')
  const all = AggregatorRegistry.aggregate(measured)
  return { type: all.contentType, text: await all.metrics() }
}

/** What is counted as it happens. */
async function measureRequests(register: Registry, { process, slowMs }: Options): Promise<(() => void)[]> {
  const { Counter, Gauge, Histogram } = await import('prom-client')
  const registers = [register]
  const requests = new Histogram({
    name: 'dekt_http_request_duration_seconds',
    help: 'Answered requests by call and class of status',
    labelNames: ['call', 'status'],
    buckets: requestBuckets,
    registers,
  })
  const refusals = new Counter({
    name: 'dekt_rate_limit_refusals_total',
    help: 'Requests refused because somebody asked too often',
    labelNames: ['limit'],
    registers,
  })
  const streams = new Gauge({
    name: 'dekt_event_streams',
    help: 'Open streams of events (bells)',
    labelNames: ['process'],
    registers,
  })
  const turns = new Histogram({
    name: 'dekt_turn_wait_seconds',
    help: 'Requests that waited for the turn of their school',
    buckets: requestBuckets,
    registers,
  })
  const turnsWaiting = new Gauge({
    name: 'dekt_turns_waiting',
    help: 'Requests that wait for the turn of their school',
    labelNames: ['process'],
    registers,
  })
  turnsWaiting.set({ process }, 0)
  const statements = new Histogram({
    name: 'dekt_statement_duration_seconds',
    help: 'Statements of the database until their answer',
    buckets: statementBuckets,
    registers,
  })
  const slow = new Counter({
    name: 'dekt_slow_statements_total',
    help: 'Statements that took SLOW_STATEMENT_MS or longer',
    registers,
  })
  for (const limit of ['address', 'person', 'school', 'turn', 'statistic', 'search', 'export'])
    refusals.inc({ limit }, 0)
  const readings = new Counter({
    name: 'dekt_replica_readings_total',
    help: 'Statistics and exports by where they were read, where a standby is set',
    labelNames: ['from'],
    registers,
  })
  for (const from of ['replica', 'primary']) readings.inc({ from }, 0)
  const lost = new Counter({
    name: 'dekt_connections_lost_total',
    help: 'Connections to the database that had fallen silent and were given up',
    registers,
  })
  streams.set({ process }, 0)
  return [
    telemetry.reading.subscribe((from) => readings.inc({ from })),
    telemetry.connectionCut.subscribe(() => lost.inc()),
    telemetry.request.subscribe(({ route = 'none', status, ms }) =>
      requests.observe({ call: route, status: `${Math.floor(status / 100)}xx` }, ms / 1000),
    ),
    telemetry.turn.subscribe((told) => {
      turnsWaiting.inc({ process }, told.waiting)
      if ('ms' in told) turns.observe(told.ms / 1000)
    }),
    telemetry.refusal.subscribe((limit) => refusals.inc({ limit })),
    telemetry.stream.subscribe((change) => streams.inc({ process }, change === 'opened' ? 1 : -1)),
    telemetry.statement.subscribe(({ ms }) => {
      statements.observe(ms / 1000)
      if (ms >= slowMs) slow.inc()
    }),
  ]
}

/** What is looked at when it is asked for. */
async function measureProcess(register: Registry, { services, pool, process, version }: Options): Promise<void> {
  const { Gauge } = await import('prom-client')
  const registers = [register]
  new Gauge({
    name: 'dekt_build_info',
    help: 'Version of the program and of Node, one for each process',
    labelNames: ['version', 'node', 'process'],
    registers,
  }).set({ version, node: globalThis.process.versions.node, process }, 1)
  new Gauge({
    name: 'dekt_pool_connections',
    help: 'Connections to the database by what they are doing',
    labelNames: ['process', 'state'],
    registers,
    collect() {
      this.set({ process, state: 'idle' }, pool.idleCount)
      this.set({ process, state: 'busy' }, pool.totalCount - pool.idleCount)
    },
  })
  new Gauge({
    name: 'dekt_pool_size',
    help: 'Connections the pool may open (POOL_SIZE)',
    labelNames: ['process'],
    registers,
  }).set({ process }, services.config.poolSize)
  new Gauge({
    name: 'dekt_pool_waiting',
    help: 'Statements and transactions that wait for a connection',
    labelNames: ['process'],
    registers,
    collect() {
      this.set({ process }, pool.waitingCount)
    },
  })
  const standby = (name: string, help: string, value: (state: ReplicaState) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['process'],
      registers,
      collect() {
        if (services.replica) this.set({ process }, value(services.replica.state()))
      },
    })
  standby('dekt_replica_up', '1 where the standby answers', ({ status }) => Number(status !== 'away'))
  standby('dekt_replica_lag_seconds', 'By which the standby is behind', ({ lagSeconds }) => lagSeconds)
  new Gauge({
    name: 'dekt_listen_silence_seconds',
    help: 'Seconds since the connection that listens for notifications last answered',
    labelNames: ['process'],
    registers,
    collect() {
      const silent = services.signals.silentFor()
      if (silent !== null) this.set({ process }, silent / 1000)
    },
  })
  new Gauge({
    name: 'dekt_clock_ahead_seconds',
    help: "By which the machine's clock is ahead of the database's",
    labelNames: ['process'],
    registers,
    collect() {
      this.set({ process }, services.clock.aheadSeconds?.() ?? 0)
    },
  })
}

/** Milliseconds for which a look at the database holds, so that the measures of one page are of one look. */
const lookMs = 1000

/** Milliseconds that the database may take to answer: whoever asks for the page does not wait for more. */
const answerMs = 2000

/** What is not known in time is left out. */
const inTime = <R>(asked: Promise<R>): Promise<R | undefined> =>
  Promise.race([asked.catch(() => undefined), sleep(answerMs, undefined, { ref: false })])

/** What is the same whichever process looks. A database that does not answer leaves out what it would tell. */
async function measureInstallation(
  register: Registry,
  { services: { db, healthDb = db, config } }: Options,
): Promise<void> {
  const { Gauge } = await import('prom-client')
  let last: { until: number; seen: Promise<Seen | undefined> } | undefined
  const look = (): Promise<Seen | undefined> => {
    if (!last || last.until < performance.now())
      last = { until: performance.now() + lookMs, seen: inTime(lookAtDatabase(db)) }
    return last.seen
  }
  const gauge = (
    name: string,
    help: string,
    labelNames: string[],
    fill: (own: { set(labels: Record<string, string>, value: number): void }, seen: Seen) => void,
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [register],
      async collect() {
        const seen = await look()
        this.reset()
        if (seen) fill(this, seen)
        else if (labelNames.length === 0) this.remove()
      },
    })
  new Gauge({
    name: 'dekt_database_up',
    help: '1 where the database answers',
    registers: [register],
    async collect() {
      // over a connection that requests do not share: while they all wait, the database is still there
      this.set((await inTime(sql`select 1`.execute(healthDb))) ? 1 : 0)
    },
  })
  gauge('dekt_database_size_bytes', 'Size of the database', [], (own, { size }) => own.set({}, size))
  gauge(
    'dekt_database_oldest_row_age',
    'Transactions since the oldest row that is not frozen; at two billion the database takes no writes',
    [],
    (own, { rowAge }) => own.set({}, rowAge),
  )
  gauge(
    'dekt_jobs',
    'Jobs that wait, run, have failed for good or recur and fail',
    ['kind', 'state'],
    (own, { jobs }) => jobs.forEach(({ kind, status, n }) => own.set({ kind, state: stateNames[status] ?? status }, n)),
  )
  gauge('dekt_job_oldest_due_seconds', 'How long the oldest job that is due has been waiting', [], (own, { late }) =>
    own.set({}, late),
  )
  gauge('dekt_background_tasks', 'What people have started in the background', ['state'], (own, { tasks }) =>
    tasks.forEach(({ status, n }) => own.set({ state: taskNames[status] ?? status }, n)),
  )
  gauge('dekt_outbox_deliveries', 'Events and messages for other systems by how far they are', ['state'], (own, seen) =>
    seen.deliveries.forEach(({ status, n }) => own.set({ state: deliveryNames[status] ?? status }, n)),
  )
  gauge(
    'dekt_outbox_oldest_due_seconds',
    'How long the oldest delivery that is due has been waiting',
    [],
    (own, seen) => own.set({}, seen.deliveryLate),
  )
  gauge('dekt_backup_age_seconds', 'Since the last good backup and the last good drill', ['kind'], (own, { backups }) =>
    backups.forEach(({ kind, age }) => own.set({ kind }, age)),
  )
  const archive = (name: string, help: string, value: (state: WalArchiveState) => number) =>
    new Gauge({
      name,
      help,
      registers: [register],
      async collect() {
        const state = config.walArchive === undefined ? undefined : await inTime(walArchiveState(db))
        if (state) this.set(value(state))
        else this.remove()
      },
    })
  archive('dekt_wal_archive_age_seconds', 'Since a file of the WAL was archived last', ({ age }) => age)
  archive('dekt_wal_archive_failing', '1 where the last try to archive failed', (state) => Number(state.isFailing))
  new Gauge({
    name: 'dekt_disk_free_bytes',
    help: 'Room left on the disks of the data folder, of BACKUP_PLACE and of WAL_ARCHIVE',
    labelNames: ['place'],
    registers: [register],
    async collect() {
      const rooms = await diskRooms(config)
      this.reset()
      for (const { place, free } of rooms) if (free !== null) this.set({ place }, free)
    },
  })
}

const stateNames: Record<string, string> = {
  [jobStatus.waiting]: 'waiting',
  [jobStatus.running]: 'running',
  [jobStatus.failed]: 'failed',
}
const taskNames: Record<string, string> = {
  [backgroundStatus.waiting]: 'waiting',
  [backgroundStatus.running]: 'running',
  [backgroundStatus.failed]: 'failed',
}

const deliveryNames: Record<string, string> = {
  [deliveryStatus.waiting]: 'waiting',
  [deliveryStatus.sending]: 'sending',
}

interface Seen {
  size: number
  rowAge: number
  late: number
  jobs: { kind: string; status: string; n: number }[]
  tasks: { status: string; n: number }[]
  deliveries: { status: string; n: number }[]
  deliveryLate: number
  backups: { kind: string; age: number }[]
}

const lookAtDatabase = async (db: AppServices['db']): Promise<Seen> => {
  const { rows } = await sql<Seen>`
    select pg_database_size(current_database())::float8 as "size",
      (select age(datfrozenxid)::float8 from pg_database where datname = current_database()) as "rowAge",
      (
        select coalesce(greatest(0, extract(epoch from now() - min("runAt"))), 0)::float8
        from job
        where "jobStatus" = ${sql.lit(jobStatus.waiting)} and "runAt" <= now() and ${ofWorkingSchool('job')}
      ) as "late",
      (
        select coalesce(json_agg(g), '[]')
        from (
          select "jobKind" as "kind",
            case when ${isFailing} then 'failing' else "jobStatus" end as "status",
            count(*)::int as "n"
          from job
          where "jobStatus" in (
            ${sql.lit(jobStatus.waiting)}, ${sql.lit(jobStatus.running)}, ${sql.lit(jobStatus.failed)}
          )
          group by 1, 2
        ) g
      ) as "jobs",
      (
        select coalesce(json_agg(g), '[]')
        from (
          select "btStatus" as "status", count(*)::int as "n"
          from "backgroundTask"
          where "btStatus" in (
            ${sql.lit(backgroundStatus.waiting)}, ${sql.lit(backgroundStatus.running)},
            ${sql.lit(backgroundStatus.failed)}
          )
          group by 1
        ) g
      ) as "tasks",
      (
        select coalesce(json_agg(g), '[]')
        from (
          select "dlStatus" as "status", count(*)::int as "n"
          from "outboxDelivery"
          where "dlStatus" in (${sql.lit(deliveryStatus.waiting)}, ${sql.lit(deliveryStatus.sending)})
          group by 1
        ) g
      ) as "deliveries",
      (
        select coalesce(greatest(0, extract(epoch from now() - min(coalesce("nextTime", "createTime")))), 0)::float8
        from "outboxDelivery"
        where "dlStatus" = ${sql.lit(deliveryStatus.waiting)} and coalesce("nextTime", "createTime") <= now()
      ) as "deliveryLate",
      (
        select coalesce(json_agg(g), '[]')
        from (
          select "brKind" as "kind", extract(epoch from now() - max("endTime"))::float8 as "age"
          from "backupRun"
          where "brStatus" = ${sql.lit(backupStatus.done)} and "endTime" <= now()
          group by 1
        ) g
      ) as "backups"`.execute(db)
  return rows[0]!
}
