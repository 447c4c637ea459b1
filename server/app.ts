import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import underPressure from '@fastify/under-pressure'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyReply } from 'fastify'
import { randomUUID } from 'node:crypto'
import { asFailure, sendFailure } from './core/http-errors.ts'
import { addressOf, answerErrors, mountRoutes, type Authenticator, type AppServices } from './core/http.ts'
import { parseJson } from './core/input.ts'
import { auditDenied, flushDenied } from './core/denied-audit.ts'
import type { Route } from './core/routes.ts'
import { mountHealth } from './core/health.ts'
import { mountConsole } from './core/static.ts'
import { approvalRoutes } from './approvals/approvals.routes.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import { awardRoutes } from './awards/awards.routes.ts'
import { circleRoutes } from './circles/circles.routes.ts'
import { curriculumRoutes } from './curriculum/curriculum.routes.ts'
import { offeredAccounts } from './demo/offered-accounts.ts'
import { docsRoutes } from './docs/docs.ts'
import { evaluationRoutes } from './evaluation/evaluation.routes.ts'
import { fileRoutes } from './files/files.routes.ts'
import { graduationRoutes } from './graduation/graduation.routes.ts'
import { homeRoutes } from './home/home.routes.ts'
import { importRoutes } from './imports/imports.routes.ts'
import { labelRoutes } from './labels/labels.routes.ts'
import { modelRoutes } from './labels/model.routes.ts'
import { noShowRoutes } from './lessons/people/no-shows.routes.ts'
import { courseNames } from './lessons/people/course-names.service.ts'
import { lessonCaseRoutes } from './lessons/approval/case.service.ts'
import { lessonRecords } from './lessons/lesson-records.service.ts'
import { lessonRoutes } from './lessons/lessons.routes.ts'
import { personLessonRoutes } from './lessons/people/person-lessons.routes.ts'
import { admissionRoutes } from './lessons/registration/admission.routes.ts'
import { registrationRoutes } from './lessons/registration/registration.routes.ts'
import { scoringRoutes } from './lessons/scoring/scoring.routes.ts'
import { notify } from './messages/notify.service.ts'
import { newsRoutes } from './news/news.routes.ts'
import { messageRoutes } from './messages/messages.routes.ts'
import { organisationRoutes } from './organisation/organisation.routes.ts'
import { credibilityRoutes } from './people/credibility.routes.ts'
import { placeRecords } from './organisation/place-records.service.ts'
import { peopleRoutes } from './people/people.routes.ts'
import { personRecords } from './people/person-records.service.ts'
import { personalRoutes } from './personal/personal.routes.ts'
import { overCapRoutes } from './credits/over-cap.routes.ts'
import { disputeRoutes } from './disputes/disputes.routes.ts'
import { accessRoutes } from './roles/access.routes.ts'
import { roleRoutes } from './roles/roles.routes.ts'
import { schoolInfoRoutes } from './school/school-info.routes.ts'
import { schoolRoutes } from './school/school.routes.ts'
import { passwordRoutes } from './session/initial-password.routes.ts'
import { recordVisibility } from './setup/record-visibility.ts'
import { demoRoutes } from './session/demo.routes.ts'
import { ownRoutes } from './session/own.routes.ts'
import { savedViewRoutes } from './session/saved-views.routes.ts'
import { sessionRoutes } from './session/session.routes.ts'
import { aliveSessions, authenticate } from './session/tokens.ts'
import { approvalOutcomes } from './setup/approval-outcomes.ts'
import { homeProviders } from './setup/home-providers.ts'
import { creditKinds } from './setup/credit-kinds.ts'
import { importers } from './setup/importers.ts'
import { reportRoutes } from './reports/reports.routes.ts'
import { modelPreviewRoutes } from './statistics/model-preview.routes.ts'
import { statisticsRoutes } from './statistics/statistics.routes.ts'
import { supplementRoutes } from './supplements/supplements.routes.ts'
import { thresholdRoutes } from './thresholds/thresholds.routes.ts'
import { scoreExportRoutes } from './transcripts/score-export.routes.ts'
import { transcriptRoutes } from './transcripts/transcripts.routes.ts'
import { transformationRoutes } from './transformation/transformation.routes.ts'
import { trialRoutes, workflowRoutes } from './workflow/workflow.routes.ts'

/** Every route of the service. */
export const allRoutes: Route[] = [
  ...sessionRoutes,
  ...demoRoutes(offeredAccounts),
  ...savedViewRoutes,
  ...ownRoutes,
  ...messageRoutes(aliveSessions),
  ...schoolRoutes,
  ...schoolInfoRoutes,
  ...organisationRoutes,
  ...peopleRoutes,
  ...credibilityRoutes({ notify: notify, courses: courseNames }),
  ...passwordRoutes(notify),
  ...roleRoutes,
  ...accessRoutes({ ...placeRecords, ...personRecords, ...lessonRecords }),
  ...fileRoutes,
  ...curriculumRoutes,
  ...evaluationRoutes,
  ...labelRoutes,
  ...modelRoutes,
  ...modelPreviewRoutes,
  ...statisticsRoutes,
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
  ...noShowRoutes,
  ...personLessonRoutes,
  ...scoreExportRoutes,
  ...graduationRoutes,
  ...supplementRoutes(creditKinds),
  ...lessonCaseRoutes,
  ...disputeRoutes(creditKinds),
  ...overCapRoutes(creditKinds),
  ...approvalRoutes(approvalOutcomes),
  ...importRoutes(importers),
  ...auditRoutes(recordVisibility(importers)),
  ...personalRoutes,
  ...homeRoutes(homeProviders),
]

const authenticator: Authenticator = {
  authenticate,
  denied: (ctx, call) => auditDenied(ctx, { action: call.summary, bizType: 'permit', bizId: call.permit }),
}

/** Joins routes, hooks and the error answer into an application that is ready to listen, and does not listen. */
export async function buildApp(services: AppServices, extraRoutes: Route[] = []): Promise<FastifyInstance> {
  const { config } = services
  const app = fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // the socket itself is hop 0: with one proxy it alone is trusted, and the last entry of X-Forwarded-For taken
    trustProxy:
      typeof config.trustProxy === 'number'
        ? (_: string, hop: number) => hop < (config.trustProxy as number)
        : config.trustProxy,
    // addresses that the router itself cannot read, such as one with a part of thousands of characters
    frameworkErrors: (error, request, reply) =>
      void sendFailure(reply as unknown as FastifyReply, asFailure(error), request.id),
    bodyLimit: 1_048_576,
    routerOptions: { maxParamLength: 100 },
    connectionTimeout: 30_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
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
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        frameSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: true },
    referrerPolicy: { policy: 'no-referrer' },
  })
  await app.register(underPressure, { maxEventLoopDelay: services.config.busyAfter, retryAfter: 1 })
  app.addHook('onSend', (request, reply, _payload, next) => {
    reply.header('x-request-id', request.id)
    next()
  })
  app.addHook('onResponse', (request, reply, next) => {
    const { method, routeOptions, id } = request
    services.log.info(
      {
        requestId: id,
        method,
        route: routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ip: addressOf(request),
      },
      'request',
    )
    next()
  })
  app.addHook('onClose', flushDenied)
  answerErrors(app, services)
  mountHealth(app, services)
  docsRoutes(app)
  mountRoutes(app, [...allRoutes, ...extraRoutes], services, authenticator)
  await mountConsole(app)
  return app
}
