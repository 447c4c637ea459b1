import { writeAudit } from '../../core/audit/audit.ts'
import { systemClock } from '../../core/base/clock.ts'
import type { Db } from '../../core/database/pool.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { keptCodes, type CodeMessage, type KeptCodes } from '../../school/session/delivery.ts'
import { operator } from '../schools/schools.ts'

/**
 * The recovery codes that wait to be passed on by hand. Whoever has one can take the account over, so that each look is
 * in the trail of the person's school.
 * @param db of the owner
 */
export const readCodes = (db: Db, secrets: Secrets): Promise<KeptCodes> =>
  db.transaction().execute(async (tx) => {
    const kept = await keptCodes({ db: tx, secrets }, systemClock.now())
    const ctx = { db: tx, clock: systemClock, origin: { requestId: 'codes', ip: '', agent: 'command' } }
    for (const { schoolId, suId, name } of kept.codes)
      await writeAudit(ctx, { schoolId, actorId: null, actorName: operator }, [
        { action: '查看找回密码的验证码', bizType: 'person', bizId: suId, bizName: name },
      ])
    return kept
  })

/** Characters that move the cursor, end a line or turn the direction of what follows. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** A text in quotation marks on one line, whatever it holds: nobody can write a part of the list by it. */
const asTyped = (text: string): string =>
  JSON.stringify(text).replace(unseen, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`)
const asLine = (text: string): string => text.replace(unseen, '')

/**
 * One of them in words. What the asker has typed stands last, on a line of its own behind its warning: anybody can ask
 * for a code, and it proves nothing.
 */
export const codeLines = ({ schoolId, name, number, code, expireTime, email, contact }: CodeMessage): string[] => [
  [
    `${schoolId}　${asLine(name)}（${asLine(number) || '无学工号'}）`,
    `验证码 ${code}`,
    `${expireTime.slice(11, 16)} 前有效`,
    email ? `档案邮箱 ${asLine(email)}` : '档案中没有邮箱',
  ].join('，'),
  ...(contact ? [`    申请者自己填写（不要据此转交）：${asTyped(contact)}`] : []),
]
