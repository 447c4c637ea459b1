import { atMost } from './core/base/at-most.ts'
import { Failure } from '../contract/core/failure.ts'
import multipart from '@fastify/multipart'
import underPressure from '@fastify/under-pressure'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyReply } from 'fastify'
import { newId } from './core/base/ids.ts'
import { telemetry } from './core/base/telemetry.ts'
import { asFailure, sendFailure } from './core/http/http-errors.ts'
import {
  addressOf,
  answerErrors,
  askerOf,
  mountRoutes,
  type Authenticator,
  type AppServices,
} from './core/http/http.ts'
import { parseJson } from './core/request/input.ts'
import { auditDenied, flushDenied } from './core/audit/denied-audit.ts'
import { admitUpload } from './core/audit/upload-check.ts'
import { forgottenEverywhere } from './core/request/actor-cache.ts'
import type { Route } from './core/request/routes.ts'
import { compressAnswers } from './core/http/compressed-answers.ts'
import { boundConnections, headerLimits, idleMs } from './core/http/connections.ts'
import { mountHealth, stopping } from './core/http/health.ts'
import { overloadAt } from './core/http/overload.ts'
import { securityHeaders } from './core/http/security-headers.ts'
import { mountConsole } from './core/http/static.ts'
import { traceIdOf, traceRequests } from './core/http/traced-requests.ts'
import { answerUnreadable, maxHeaderSize } from './core/http/unreadable.ts'
import { mountVersion } from './core/http/version.ts'
import { approvalRoutes } from './programme/approvals/approvals.routes.ts'
import { auditRoutes } from './school/audit/audit.routes.ts'
import { awardRoutes } from './rules/awards/awards.routes.ts'
import { backgroundRoutes } from './platform/background/background.routes.ts'
import { backgroundRegistry } from './platform/background/registry.ts'
import { circleRoutes } from './programme/circles/circles.routes.ts'
import { curriculumRoutes } from './rules/curriculum/curriculum.routes.ts'
import { offeredAccounts } from './demo/offered-accounts.ts'
import { docsRoutes } from './platform/docs/docs.ts'
import { evaluationRoutes } from './rules/evaluation/evaluation.routes.ts'
import { fileRoutes } from './platform/files/files.routes.ts'
import { graduationRoutes, personErasureRoutes } from './outcomes/graduation/graduation.routes.ts'
import { homeRoutes } from './programme/home/home.routes.ts'
import { importRoutes } from './platform/imports/imports.routes.ts'
import { labelRoutes } from './rules/labels/labels.routes.ts'
import { modelRoutes } from './rules/labels/model.routes.ts'
import { noShowRoutes } from './programme/lessons/no-shows.routes.ts'
import { courseNames } from './programme/lessons/lists/course-names.service.ts'
import { lessonCaseRoutes } from './programme/lessons/lists/case.service.ts'
import { lessonRecords } from './programme/lessons/lesson-records.service.ts'
import { lessonRoutes } from './programme/lessons/lessons.routes.ts'
import { personLessonRoutes } from './programme/lessons/person-lessons.routes.ts'
import { teamRoutes } from './programme/lessons/teams.routes.ts'
import { admissionRoutes } from './programme/lessons/admission.routes.ts'
import { registrationRoutes } from './programme/lessons/registration.routes.ts'
import { scoringRoutes } from './programme/scoring/scoring.routes.ts'
import { newsRoutes } from './platform/news/news.routes.ts'
import { messageRoutes } from './school/messages/messages.routes.ts'
import { organisationRoutes } from './school/organisation/organisation.routes.ts'
import { credibilityRoutes } from './school/people/credibility.routes.ts'
import { placeRecords } from './school/organisation/place-records.service.ts'
import { peopleRoutes } from './school/people/people.routes.ts'
import { personRecords } from './school/people/person-records.service.ts'
import { mountCalendars } from './programme/personal/calendar-pages.ts'
import { personalRoutes } from './programme/personal/personal.routes.ts'
import { overCapRoutes } from './programme/credits/over-cap.routes.ts'
import { disputeRoutes } from './programme/disputes/disputes.routes.ts'
import { accessRoutes } from './school/roles/access.routes.ts'
import { roleRoutes } from './school/roles/roles.routes.ts'
import { planCalendarRoutes } from './school/school/plan-calendar.service.ts'
import { schoolInfoRoutes } from './school/school/school-info.routes.ts'
import { schoolRoutes } from './school/school/school.routes.ts'
import { activationRoutes } from './school/session/activation.routes.ts'
import { passwordRoutes } from './school/session/initial-password.routes.ts'
import { migrations } from './migrations/index.ts'
import { recordVisibility } from './setup/record-visibility.ts'
import { mountIdentity } from './school/identity/identity-pages.ts'
import { providerToLeave } from './school/identity/identity-flow.service.ts'
import { identityRoutes } from './school/identity/identity.routes.ts'
import { assertMayUsePassword } from './school/identity/sign-in-methods.service.ts'
import { demoRoutes } from './school/session/demo.routes.ts'
import { accountAccessRoutes } from './school/session/account-access.routes.ts'
import { ownRoutes } from './school/session/own.routes.ts'
import { sourceRoutes } from './school/sources/sources.routes.ts'
import { channelRoutes } from './school/channels/channels.routes.ts'
import { authenticateKey, isServiceKey } from './school/integration/key-authentication.ts'
import { integrationRoutes } from './school/integration/integration.routes.ts'
import { operatorRoutes, runtimeRoutes } from './school/runtime/runtime.routes.ts'
import { savedViewRoutes } from './school/session/saved-views.routes.ts'
import { sessionRoutes } from './school/session/session.routes.ts'
import { finishAfterwards } from './school/session/afterwards.ts'
import { actorFor, aliveSessions, authenticate } from './school/session/tokens.ts'
import { addSchool } from './setup/add-school.ts'
import { approvalOutcomes } from './setup/approval-outcomes.ts'
import { queueSubjects } from './setup/queue-subjects.ts'
import { homeProviders } from './setup/home-providers.ts'
import { creditKinds } from './setup/credit-kinds.ts'
import { importers } from './setup/importers.ts'
import { otherWork } from './setup/other-work.ts'
import { reportRoutes } from './outcomes/reports/reports.routes.ts'
import { modelPreviewRoutes } from './outcomes/statistics/model-preview.routes.ts'
import { provinceRoutes } from './outcomes/province/province.routes.ts'
import { statisticsRoutes } from './outcomes/statistics/statistics.routes.ts'
import { ownCircleRoutes } from './student/circles.routes.ts'
import { ownNoticeRoutes } from './student/notices.routes.ts'
import { ownCalendarRoutes } from './student/calendar.routes.ts'
import { ownContactRoutes } from './student/contact.routes.ts'
import { ownProfileRoutes } from './student/profile.routes.ts'
import { ownActivityRoutes } from './student/activities.routes.ts'
import { ownRecordRoutes } from './student/record.routes.ts'
import { managedSigningRoutes, ownSigningRoutes } from './student/signing.routes.ts'
import { ownSupplementRoutes } from './student/supplements.routes.ts'
import { ownTeamRoutes } from './student/teams.routes.ts'
import { supplementRoutes } from './programme/supplements/supplements.routes.ts'
import { thresholdRoutes } from './outcomes/thresholds/thresholds.routes.ts'
import { mountCredentials } from './outcomes/transcripts/credential-pages.ts'
import { scoreExportRoutes } from './outcomes/transcripts/score-export.routes.ts'
import { transcriptRoutes } from './outcomes/transcripts/transcripts.routes.ts'
import { transformationRoutes } from './rules/transformation/transformation.routes.ts'
import { trialRoutes, workflowRoutes } from './rules/workflow/workflow.routes.ts'

/** The last migration this program knows. */
const schemaName = Object.keys(migrations).at(-1)!

/** What can go on in the background: the routes below. */
export const inBackground = backgroundRegistry(() => allRoutes)

/** Every route of the service. */
export const allRoutes: Route[] = [
  ...sessionRoutes({ assertMayUsePassword, providerToLeave }),
  ...activationRoutes({ assertMayUsePassword, providerToLeave }),
  ...demoRoutes(offeredAccounts),
  ...savedViewRoutes,
  ...ownRoutes,
  ...accountAccessRoutes,
  ...identityRoutes,
  ...messageRoutes(aliveSessions),
  ...schoolRoutes,
  ...schoolInfoRoutes,
  ...planCalendarRoutes,
  ...organisationRoutes,
  ...peopleRoutes,
  ...credibilityRoutes({ courses: courseNames }),
  ...passwordRoutes,
  ...roleRoutes,
  ...accessRoutes({ ...placeRecords, ...personRecords, ...lessonRecords }),
  ...fileRoutes,
  ...curriculumRoutes,
  ...evaluationRoutes,
  ...labelRoutes,
  ...modelRoutes,
  ...modelPreviewRoutes,
  ...statisticsRoutes,
  ...provinceRoutes,
  ...reportRoutes,
  ...awardRoutes,
  ...workflowRoutes,
  ...trialRoutes,
  ...transformationRoutes,
  ...transcriptRoutes,
  ...thresholdRoutes,
  ...circleRoutes,
  ...newsRoutes,
  ...lessonRoutes,
  ...scoringRoutes,
  ...registrationRoutes,
  ...admissionRoutes,
  ...teamRoutes,
  ...noShowRoutes,
  ...personLessonRoutes,
  ...scoreExportRoutes,
  ...graduationRoutes,
  ...personErasureRoutes,
  ...supplementRoutes(creditKinds),
  ...lessonCaseRoutes,
  ...disputeRoutes(creditKinds),
  ...overCapRoutes(creditKinds),
  ...approvalRoutes(approvalOutcomes, queueSubjects),
  ...importRoutes(importers),
  ...sourceRoutes(importers, actorFor),
  ...auditRoutes(recordVisibility(importers)),
  ...runtimeRoutes(schemaName),
  ...operatorRoutes(addSchool),
  ...integrationRoutes,
  ...channelRoutes,
  ...personalRoutes,
  ...ownActivityRoutes,
  ...ownCalendarRoutes,
  ...ownContactRoutes,
  ...ownProfileRoutes,
  ...ownRecordRoutes,
  ...ownSigningRoutes,
  ...managedSigningRoutes,
  ...ownSupplementRoutes(creditKinds),
  ...ownTeamRoutes,
  ...ownNoticeRoutes,
  ...ownCircleRoutes,
  ...homeRoutes(homeProviders),
  ...backgroundRoutes(inBackground, otherWork),
]

/** Milliseconds for what a stopping process still has to write. */
const lastWritesMs = 1000

const authenticator: Authenticator = {
  authenticate: (ctx, token, onUnknownToken) =>
    (isServiceKey(token) ? authenticateKey : authenticate)(ctx, token, onUnknownToken),
  denied: (ctx, call) => auditDenied(ctx, { action: call.summary, bizType: 'permit', bizId: call.permit }),
  admitUpload,
}

/** Joins routes, hooks and the error answer into an application that is ready to listen, and does not listen. */
export async function buildApp(services: AppServices, extraRoutes: Route[] = []): Promise<FastifyInstance> {
  const { config } = services
  const headers = await securityHeaders()
  const app = fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    // numbers that grow, as those of rows: the trail's index of them then grows at its end
    genReqId: newId,
    // the socket itself is hop 0: with one proxy it alone is trusted, and the last entry of X-Forwarded-For taken
    trustProxy:
      typeof config.trustProxy === 'number'
        ? (_: string, hop: number) => hop < (config.trustProxy as number)
        : config.trustProxy,
    // addresses that the router itself cannot read, such as one with a part of thousands of characters
    frameworkErrors: (error, request, reply) => {
      // no hook runs for these
      for (const [name, value] of headers) reply.raw.setHeader(name, value)
      void sendFailure(reply as unknown as FastifyReply, asFailure(error), request.id)
    },
    bodyLimit: 1_048_576,
    routerOptions: { maxParamLength: 100 },
    http: { ...headerLimits, maxHeaderSize },
    clientErrorHandler: answerUnreadable(headers),
    connectionTimeout: 30_000,
    requestTimeout: 60_000,
    keepAliveTimeout: idleMs,
    forceCloseConnections: 'idle',
    // what still comes while the program stops is answered like anything else
    return503OnClosing: false,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_: unknown, body: string) =>
    parseJson(body),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    async (_: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  )
  await app.register(multipart)
  boundConnections(app.server, config.connectionsPerAddress)
  app.addHook('onRequest', (request, reply, next) => {
    for (const [name, value] of headers) reply.raw.setHeader(name, value)
    // of two that differ it would hang on the reader whose they are
    const { rawHeaders } = request.raw
    const credentials = new Set(
      rawHeaders.filter((_, at) => at % 2 === 1 && /^authorization$/i.test(rawHeaders[at - 1]!)),
    )
    next(credentials.size > 1 ? new Failure('bad-request') : undefined)
  })
  compressAnswers(app)
  await app.register(underPressure, overloadAt(services.config.busyAfter, app.server))
  app.addHook('onSend', (request, reply, _payload, next) => {
    reply.header('x-request-id', request.id)
    // whoever asks next over this connection would find it closed
    if (stopping.now) reply.header('connection', 'close')
    const telling = forgottenEverywhere()
    if (telling) void telling.then(() => next())
    else next()
  })
  app.addHook('onResponse', (request, reply, next) => {
    const { method, routeOptions, id } = request
    telemetry.request.publish({ route: routeOptions.url, status: reply.statusCode, ms: reply.elapsedTime })
    services.log.info(
      {
        requestId: id,
        method,
        route: routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ip: addressOf(request),
        ...askerOf(request),
        traceId: traceIdOf(request),
      },
      'request',
    )
    next()
  })
  if (config.traces) traceRequests(app)
  app.addHook('onClose', () => atMost(lastWritesMs, Promise.all([flushDenied(), finishAfterwards()])))
  answerErrors(app, services)
  mountHealth(app, services)
  mountVersion(app, schemaName)
  docsRoutes(app)
  mountIdentity(app, services)
  mountCalendars(app, services, actorFor)
  mountCredentials(app, services)
  mountRoutes(app, [...allRoutes, ...extraRoutes], services, authenticator)
  await mountConsole(app)
  return app
}
