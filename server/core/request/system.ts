import { wholeSchool } from '../../../contract/core/scope.ts'
import type { Context, PublicContext } from './context.ts'
import { newId } from '../base/ids.ts'

/** Who acts where no person does: jobs. It is nobody's id. */
export const systemId = '00000000-0000-0000-0000-000000000000'

/** The services of the program, as a request has them; what jobs and commands work with. */
export type JobServices = Omit<PublicContext, 'origin' | 'upload'>

/** The context of work the program does by itself in one school: it sees all of it and holds no right. */
export const systemContext = (services: JobServices, schoolId: string): Context => ({
  ...services,
  origin: { requestId: newId(), ip: '', agent: 'system' },
  actor: {
    schoolId,
    suId: systemId,
    suNickname: '系统',
    suLoginName: '',
    sessionId: '',
    mustChangePwd: false,
    permits: new Set(),
    roleIds: [],
    scopeFor: () => wholeSchool,
  },
  scope: wholeSchool,
})
