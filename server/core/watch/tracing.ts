import type { Context, Span, SpanOptions } from '@opentelemetry/api'
import { atMost } from '../base/at-most.ts'
import type { Config } from '../base/config.ts'
import type { AppServices } from '../http/http.ts'
import { buildInfo } from '../base/build-info.ts'
import { instanceName } from '../base/log.ts'
import { telemetry, type WorkEvent } from '../base/telemetry.ts'
import { traceStore, type TraceContext } from '../base/trace-context.ts'
import { watchOutgoing } from './outgoing-requests.ts'
import { statementSummary } from './statement-summary.ts'

/** The work at hand as the store holds it while traces are made. */
interface Traced extends TraceContext {
  span: Span
  context: Context
}

/** Milliseconds: spans wait so long for others to be sent with them, and a collector may take so long. */
const gatherMs = 2000
const patienceMs = 5000
/** Spans that wait at most; what comes beyond is dropped, for the service goes before its traces. */
const maxQueued = 4096
/** Characters that are kept of a statement's text. */
const maxTextLength = 1000

interface Tracing {
  /** Sends what waits. */
  flush(): Promise<void>
  close(): Promise<void>
}

/**
 * Makes traces of requests, runs of jobs, statements and requests to other services, and sends them to a collector by
 * OTLP over HTTP, where the settings name one; otherwise nothing is loaded and nothing is heard (decision 073).
 */
export async function startTracing({ config, log }: Pick<AppServices, 'config' | 'log'>): Promise<Tracing | undefined> {
  if (!config.traces) return undefined
  const { isSpanContextValid, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, createTraceState } =
    await import('@opentelemetry/api')
  const provider = await openProvider(config.traces, config.instance, log)
  const tracer = provider.getTracer('second-classroom')
  const spans = new WeakMap<object, Traced>()
  const traced = (name: string, options: SpanOptions, parent: Context): Traced => {
    const span = tracer.startSpan(name, options, parent)
    const { traceId, spanId, traceFlags } = span.spanContext()
    return {
      span,
      context: trace.setSpan(ROOT_CONTEXT, span),
      traceId,
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    }
  }
  const failed = (span: Span, message: string) => span.setStatus({ code: SpanStatusCode.ERROR, message })

  /** What a caller says it belongs to; whatever is not in the form of W3C begins a trace of its own. */
  function parentOf({ traceparent, tracestate }: Extract<WorkEvent, { kind: 'request' }>): Context {
    const [, traceId = '', spanId = '', flags = ''] =
      /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(traceparent ?? '') ?? []
    const said = { traceId, spanId, traceFlags: parseInt(flags, 16) & 1, isRemote: true }
    if (!isSpanContextValid(said)) return ROOT_CONTEXT
    const state = tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }
    return trace.setSpanContext(ROOT_CONTEXT, { ...said, ...state })
  }

  function begin(what: WorkEvent): Traced {
    if (what.kind === 'job') {
      const attributes = { 'dekt.job.kind': what.jobKind, 'dekt.job.attempt': what.attempts }
      const school = what.schoolId ? { 'dekt.school.id': what.schoolId } : {}
      return traced(`job ${what.jobKind}`, { attributes: { ...attributes, ...school } }, ROOT_CONTEXT)
    }
    const known = spans.get(what.request)
    if (known) return known
    const attributes = { 'http.request.method': what.method, 'dekt.request.id': what.requestId }
    const route = what.route === undefined ? {} : { 'http.route': what.route }
    const own = traced(
      what.route === undefined ? what.method : `${what.method} ${what.route}`,
      { kind: SpanKind.SERVER, attributes: { ...attributes, ...route } },
      parentOf(what),
    )
    spans.set(what.request, own)
    return own
  }

  const store = traceStore as unknown as Parameters<typeof telemetry.work.bindStore<Traced>>[0]
  const closing = [
    telemetry.work.bindStore(store, begin),
    telemetry.requestEnded.subscribe(({ request, status, schoolId }) => {
      const own = spans.get(request)
      if (!own) return
      spans.delete(request)
      own.span.setAttribute('http.response.status_code', status)
      if (schoolId !== undefined) own.span.setAttribute('dekt.school.id', schoolId)
      if (status >= 500) failed(own.span, String(status))
      own.span.end()
    }),
    telemetry.jobEnded.subscribe(({ error }) => {
      const own = store.getStore()
      if (error !== undefined && own) failed(own.span, error instanceof Error ? error.name : 'Error')
      own?.span.end()
    }),
    telemetry.statement.subscribe(({ text, ms }) => {
      const own = store.getStore()
      // what nobody asked for, such as looking for jobs each five seconds, would be most of all traces
      if (!own?.span.isRecording()) return
      const now = Date.now()
      tracer
        .startSpan(
          statementSummary(text),
          {
            kind: SpanKind.CLIENT,
            startTime: now - ms,
            attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, maxTextLength) },
          },
          own.context,
        )
        .end(now)
    }),
    watchOutgoing((name, attributes) => {
      const own = store.getStore()
      if (!own) return undefined
      const { span, traceparent } = traced(name, { kind: SpanKind.CLIENT, attributes }, own.context)
      return {
        traceparent,
        ended(status) {
          if (status === undefined) failed(span, 'no answer')
          else span.setAttribute('http.response.status_code', status)
          if (status !== undefined && status >= 400) failed(span, String(status))
          span.end()
        },
      }
    }),
  ]
  log.info({ url: new URL(config.traces.url).origin, share: config.traces.share }, 'traces are sent')
  const flush = () => provider.forceFlush({ timeoutMillis: patienceMs }).catch(() => {})
  return {
    flush,
    async close() {
      for (const close of closing) close()
      await atMost(patienceMs, provider.shutdown())
    },
  }
}

async function openProvider(
  { url, headers, service, share }: NonNullable<Config['traces']>,
  instance: string | undefined,
  log: AppServices['log'],
) {
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: patienceMs })
  let isAway = false
  const send = exporter.export.bind(exporter)
  exporter.export = (spans, told) =>
    send(spans, (result) => {
      const isFailing = result.error !== undefined
      if (isFailing && !isAway) log.warn({ err: result.error }, 'traces do not arrive')
      if (!isFailing && isAway) log.info('traces arrive again')
      isAway = isFailing
      told(result)
    })
  const own = new sdk.TraceIdRatioBasedSampler(share)
  return new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.version': buildInfo().version,
      'service.instance.id': instanceName(instance),
    }),
    // whoever asks may join a trace, and may leave it out, but not have more of them kept than the settings say
    sampler: new sdk.ParentBasedSampler({ root: own, remoteParentSampled: own }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: gatherMs,
        exportTimeoutMillis: patienceMs,
        maxQueueSize: maxQueued,
      }),
    ],
  })
}
