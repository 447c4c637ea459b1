import { writeAudit } from '../../core/audit/audit.ts'
import { systemClock } from '../../core/base/clock.ts'
import type { Db } from '../../core/database/pool.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { keptCodes, type CodeMessage } from '../../school/session/delivery.ts'
import { operator } from '../schools/schools.ts'

/**
 * The recovery codes that wait to be passed on by hand. Whoever has one can take the account over, so that each look is
 * in the trail of the person's school.
 * @param db of the owner
 */
export const readCodes = (db: Db, secrets: Secrets): Promise<CodeMessage[]> =>
  db.transaction().execute(async (tx) => {
    const codes = await keptCodes({ db: tx, secrets }, systemClock.now())
    const ctx = { db: tx, clock: systemClock, origin: { requestId: 'codes', ip: '', agent: 'command' } }
    for (const { schoolId, suId, name } of codes)
      await writeAudit(ctx, { schoolId, actorId: null, actorName: operator }, [
        { action: '查看找回密码的验证码', bizType: 'person', bizId: suId, bizName: name },
      ])
    return codes
  })

/** One of them in words; what the asker has typed is told apart, for it proves nothing. */
export const codeLine = ({ schoolId, name, number, code, expireTime, email, contact }: CodeMessage): string =>
  [
    `${schoolId}　${name}（${number || '无学工号'}）`,
    `验证码 ${code}`,
    `${expireTime.slice(11, 16)} 前有效`,
    ...(email ? [`档案邮箱 ${email}`] : []),
    ...(contact ? [`申请者自己填写 ${contact}（不要据此转交）`] : []),
  ].join('，')
