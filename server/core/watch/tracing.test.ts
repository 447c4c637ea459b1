import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { fullPath } from '../../../contract/core/call.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { buildApp } from '../../app.ts'
import { Client } from '../../testing/client.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { parseConfig } from '../base/config.ts'
import { telemetry } from '../base/telemetry.ts'
import { startJobs } from '../jobs/job-runner.ts'
import { enqueue } from '../jobs/jobs.ts'
import { statementSummary } from './statement-summary.ts'
import { startTracing } from './tracing.ts'

await useOwnDatabase()

/** A span as it stands in OTLP's JSON. */
interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  status: { code?: number }
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

const kinds = { internal: 1, server: 2, client: 3 }
const of = (span: Span | undefined) =>
  Object.fromEntries(
    (span?.attributes ?? []).map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  )

/** A collector that takes what is sent by OTLP, and anything else as another service would. */
async function collector() {
  const spans: Span[] = []
  const resources = new Set<string>()
  const asked: { path: string; headers: IncomingHttpHeaders }[] = []
  const server = createServer((request, answer) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      asked.push({ path: request.url!, headers: request.headers })
      if (request.url !== '/v1/traces') return answer.writeHead(404).end()
      for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
        for (const { key, value } of resource.attributes) resources.add(`${key}=${value.stringValue}`)
        for (const scope of scopeSpans) spans.push(...scope.spans)
      }
      return answer.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, resources, asked }
}

async function tracedSchool(settings: Record<string, string> = {}) {
  const sink = await collector()
  const school = await newSchool()
  const { traces } = parseConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
    ...settings,
  })
  const services = { ...school.services, config: { ...school.services.config, traces } }
  const told: string[] = []
  const log = Object.assign(Object.create(services.log) as typeof services.log, {
    warn: (_: unknown, text: string) => void told.push(text),
  })
  const tracing = (await startTracing({ ...services, log }))!
  const app = await buildApp(services)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    await app.close()
    await tracing.close()
  })
  /** The span of the one request, which ends a moment after its answer. */
  const request = () =>
    expect
      .poll(async () => {
        await tracing.flush()
        return sink.spans.find(({ kind }) => kind === kinds.server)
      })
      .toBeDefined()
      .then(() => sink.spans.find(({ kind }) => kind === kinds.server)!)
  return { sink, school, services, tracing, told, address, request, admin: new Client(address, school.admin.token) }
}

const list = (address: string, { admin }: TestSchool, headers: Record<string, string> = {}) =>
  fetch(address + fullPath(collegeApi.list), {
    method: collegeApi.list.method,
    headers: {
      authorization: `Bearer ${admin.token}`,
      prefer: 'handling=strict',
      'content-type': 'application/json',
      ...headers,
    },
    body: '{}',
  })

test('where no collector is set nothing is heard and nothing answered', async () => {
  const school = await newSchool()
  expect(await startTracing(school.services)).toBeUndefined()
  expect([telemetry.work.hasSubscribers(), telemetry.statement.hasSubscribers()]).toEqual([false, false])
  expect((await list(school.address, school)).headers.has('traceresponse')).toBe(false)
})

test('a request with its statements joins the trace that its caller names, and tells which it is', async () => {
  const { sink, school, address, request: own } = await tracedSchool()
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const answer = await list(address, school, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` })
  expect(answer.headers.get('traceresponse')).toMatch(new RegExp(`^00-${traceId}-[\\da-f]{16}-01$`))
  const request = await own()
  expect(request).toMatchObject({
    traceId,
    parentSpanId: '00f067aa0ba902b7',
    name: `${collegeApi.list.method} ${fullPath(collegeApi.list)}`,
  })
  expect(of(request)).toMatchObject({
    'http.request.method': collegeApi.list.method,
    'http.response.status_code': 200,
    'dekt.school.id': school.schoolId,
    'dekt.request.id': answer.headers.get('x-request-id'),
  })
  const statements = sink.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId)
  expect(statements.map(({ name }) => name)).toContain('select college')
  expect(statements.every((span) => span.traceId === traceId && span.kind === kinds.client)).toBe(true)
  // text, but none of the values that went with it
  expect(JSON.stringify(statements)).not.toContain(school.schoolId)
  expect(sink.asked[0]!.headers['x-key']).toBe('a b')
  expect([...sink.resources]).toEqual(
    expect.arrayContaining(['service.name=second-classroom', expect.stringMatching(/^service\.version=\d/)]),
  )
})

test('statements after a body has been read are still those of its request', async () => {
  const { sink, admin, request: own } = await tracedSchool()
  await admin.send(collegeApi.save, { scName: '追踪学院', scCode: 'T1' })
  const request = await own()
  const inside = sink.spans.filter(({ traceId, spanId }) => traceId === request.traceId && spanId !== request.spanId)
  expect(inside.map(({ name }) => name)).toEqual(expect.arrayContaining(['insert college', 'insert auditLog']))
  expect(request.parentSpanId ?? '').toBe('')
})

test.each(['rubbish', '00-00000000000000000000000000000000-00f067aa0ba902b7-01', '00-x-y-01', ''])(
  'what is no trace (%j) begins one',
  async (traceparent) => {
    const { school, address, request: own } = await tracedSchool()
    expect((await list(address, school, { traceparent })).status).toBe(200)
    const request = await own()
    expect([request.traceId.length, request.parentSpanId ?? '']).toEqual([32, ''])
  },
)

test('only so many traces are kept as the settings say, whatever a caller wishes', async () => {
  const { sink, school, tracing, address } = await tracedSchool({ OTEL_TRACES_SAMPLER_ARG: '0' })
  const answer = await list(address, school, { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' })
  expect(answer.headers.get('traceresponse')).toMatch(/-00$/)
  await tracing.flush()
  expect(sink.spans).toEqual([])
})

test('a run of a job has its statements, and what it asks of others takes the trace along', async () => {
  const { sink, school, services, tracing } = await tracedSchool()
  const { db, clock, log } = services
  const runner = await startJobs({
    db,
    clock,
    log,
    handlers: {
      'trace:good': {
        async run() {
          await sql`select 1 from "college" limit 1`.execute(db)
          await fetch(`${sink.url}/elsewhere/王小明`)
        },
      },
      'trace:bad': { attempts: 1, run: async () => Promise.reject(new RangeError('王小明')) },
    },
  })
  onTestFinished(() => runner.stop())
  for (const kind of ['trace:good', 'trace:bad']) await enqueue({ db, clock }, { schoolId: school.schoolId, kind })
  await runner.idle()
  await tracing.flush()
  const good = sink.spans.find(({ name }) => name === 'job trace:good')!
  const bad = sink.spans.find(({ name }) => name === 'job trace:bad')!
  expect(of(good)).toMatchObject({ 'dekt.job.kind': 'trace:good', 'dekt.school.id': school.schoolId })
  const inside = sink.spans.filter(({ parentSpanId }) => parentSpanId === good.spanId)
  const host = new URL(sink.url).host
  expect(inside.map(({ name }) => name).sort()).toEqual([`GET ${host}`, 'select college'])
  const outgoing = inside.find(({ name }) => name === `GET ${host}`)!
  const arrived = sink.asked.find(({ path }) => path.startsWith('/elsewhere'))!
  expect(arrived.headers['traceparent']).toBe(`00-${good.traceId}-${outgoing.spanId}-01`)
  expect(of(outgoing)['http.response.status_code']).toBe(404)
  expect([good.status.code ?? 0, bad.status.code]).toEqual([0, 2])
  expect(JSON.stringify(sink.spans)).not.toContain('王小明')
})

test('a collector that is away keeps nobody from an answer, and is told in the log', async () => {
  const { school, address, tracing, told } = await tracedSchool({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  expect((await list(address, school)).status).toBe(200)
  await expect.poll(() => tracing.flush().then(() => told), { timeout: 10_000 }).toEqual(['traces do not arrive'])
})

test.each([
  ['select "a" from "college" where x = $1', 'select college'],
  ['insert into "auditLog" ("a") values ($1)', 'insert auditLog'],
  ['update only "job" set x = 1', 'update job'],
  ['with "own" as (select 1 from "registration") select * from "own"', 'with registration'],
  ['start transaction isolation level serializable', 'begin'],
  ['commit', 'commit'],
  ['/* planned by value */ select 1', 'select'],
  ['', 'sql'],
])('the statement %j is named %s', (text, name) => expect(statementSummary(text)).toBe(name))

test('settings that cannot be are refused', () => {
  for (const settings of [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'no value' },
    { OTEL_TRACES_SAMPLER_ARG: '2' },
  ])
    expect(() => parseConfig(settings)).toThrow(Object.keys(settings)[0])
})
