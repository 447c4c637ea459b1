import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Checked } from '../../../contract/core/call.ts'
import { messageType, yesNo } from '../../../contract/core/codes/platform.ts'
import { accountStatus, personType } from '../../../contract/core/codes/school.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { SchoolSettings } from '../../../contract/school/school/settings.ts'
import type { activationApi, ActivationProof } from '../../../contract/school/session/activation.calls.ts'
import { writeAudit } from '../../core/audit/audit.ts'
import { networkOf } from '../../core/base/address.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { systemContext, systemId } from '../../core/request/system.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { unseal } from '../../core/secrets/field-crypto.ts'
import { noPassword } from '../../core/secrets/passwords.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { findAccount, foldLoginName, setPassword, type AccountRow } from '../people/accounts.service.ts'
import { assertSchoolActive } from '../school/school.service.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { activationCodeHash } from './activation-code.ts'
import { afterwards } from './afterwards.ts'
import { refundAttempt, placeOf, consumeAttempt, type Allowance } from './lockout.ts'
import { readPrivacyNotice } from './privacy-notice.service.ts'
import { enterByActivation, assertNewPassword, type SignInWays } from './session.service.ts'

/**
 * Guesses at somebody's identity data: few enough that the last six characters of a document are not found within its
 * validity, counted apart from sign-ins, so that they keep nobody from signing in.
 */
const perNumberAndPlace: Allowance = { tries: 5, minutes: 60 }
const perNumber: Allowance = { tries: 10, minutes: 240 }
/** A hall of residence has one address, and many in it mistype. */
const perNetwork: Allowance = { tries: 60, minutes: 10 }

const waysOf: Record<SchoolSettings['activationWay'], ActivationProof[]> = {
  password: [],
  slip: ['slip'],
  identity: ['identity'],
  both: ['slip', 'identity'],
}

/** By what students of a school may activate their accounts; nothing for a school that is not there. */
export async function activationWays(ctx: PublicContext, { schoolId }: Checked<typeof activationApi.ways>) {
  const { activationWay } = await schoolSettings(ctx, schoolId)
  return { ways: waysOf[activationWay], passwordProfile: ctx.config.passwordProfile }
}

type Given = Checked<typeof activationApi.prove>

/** Tells whether a proof is right, so that nobody thinks of a password in vain. */
export async function proveActivation(ctx: PublicContext, input: Given) {
  await proven(ctx, input)
  return { isRight: true as const }
}

/**
 * Gives an account that nobody has used yet its first password, notes the agreement to the privacy notice and signs the
 * student in (docs/security.md S33). A code of a slip is used up.
 */
export async function activateAccount(
  ctx: PublicContext,
  ways: SignInWays,
  { newPassword, noticeVersion, ...given }: Checked<typeof activationApi.activate>,
) {
  const { account, by, keys } = await proven(ctx, given)
  const { schoolId, suId } = account
  await assertSchoolActive(ctx, schoolId)
  await ways.assertMayUsePassword(ctx, account)
  if ((await readPrivacyNotice(ctx, { schoolId })).version !== noticeVersion) throw new Failure('notice-changed')
  await assertNewPassword(ctx, account, newPassword)
  await inTransaction(ctx, async (tx) => {
    // of several at once the first has the row, and the others find that it has a password
    const opened = await tx.db
      .updateTable('account')
      .set({ noticeVersion, noticeTime: tx.clock.now() })
      .where('schoolId', '=', schoolId)
      .where('suId', '=', suId)
      .where('passwordHash', '=', noPassword)
      .where('lastLoginTime', 'is', null)
      .executeTakeFirst()
    const used = await tx.db
      .deleteFrom('activationCode')
      .where('schoolId', '=', schoolId)
      .where('suId', '=', suId)
      .$if(by === 'slip', (codes) => codes.where('codeHash', '=', activationCodeHash(tx, suId, given.code!)))
      .executeTakeFirst()
    if (opened.numUpdatedRows === 0n || (by === 'slip' && used.numDeletedRows === 0n))
      throw new Failure('activation-refused')
    await setPassword(tx, schoolId, suId, newPassword)
    const reason = by === 'slip' ? '凭激活单' : '凭姓名与证件号码'
    await writeAudit(tx, { schoolId, actorId: suId, actorName: account.suNickname }, [
      { action: '激活账号', bizType: 'person', bizId: suId, bizName: account.suiName, reason },
    ])
    await notify(
      { ...systemContext(tx, schoolId), db: tx.db },
      {
        suIds: [suId],
        type: messageType.system,
        title: '账号已激活',
        bizType: 'account',
        content: `您的账号已于 ${tx.clock.now().slice(0, 16)} ${reason}激活并设置了密码。如非本人操作，请立即联系辅导员。`,
      },
    )
  })
  forgetActors(schoolId, [suId])
  return enterByActivation(ctx, account, keys)
}

/**
 * Checks a proof. Unknown numbers, wrong proofs, accounts in use and accounts switched off are refused alike, after the
 * same statements. Guesses at identity data are counted before they are looked at. A code of a slip is too long to be
 * guessed: a right one is taken however often others have tried, so that nobody can keep its owner from using it.
 */
async function proven(
  ctx: PublicContext,
  { schoolId, suiNumber, code, suiName, idTail }: Given,
): Promise<{ account: AccountRow; by: ActivationProof; keys: string[] }> {
  const by = code ? 'slip' : 'identity'
  if (!code && !suiName) throw invalidInput([{ field: 'suiName', msg: '请输入姓名' }])
  if (!code && !idTail) throw invalidInput([{ field: 'idTail', msg: '请输入证件号码的后六位' }])
  if (!waysOf[(await schoolSettings(ctx, schoolId)).activationWay].includes(by)) throw new Failure('activation-closed')
  const number = `activate:${schoolId}:${foldLoginName(suiNumber)}`
  const network = `activate-from:${networkOf(ctx.origin.ip)}`
  const keys = [network, `${number}@${placeOf(ctx.origin.ip)}`, number]
  if (by === 'identity') {
    const allowed =
      (await consumeAttempt(ctx, keys[0]!, perNetwork)) &&
      (await consumeAttempt(ctx, keys[1]!, perNumberAndPlace)) &&
      (await consumeAttempt(ctx, keys[2]!, perNumber))
    if (!allowed) throw new Failure('too-often', {}, { retryAfter: 600 })
  }
  const account = await findAccount(ctx.db, schoolId, suiNumber)
  const facts = await factsOf(ctx, schoolId, account?.suId ?? systemId)
  const isSame =
    by === 'slip'
      ? timingSafeEqual(facts.codeHash ?? randomBytes(32), activationCodeHash(ctx, account?.suId ?? systemId, code!))
      : timingSafeEqual(facts.identity ?? randomBytes(32), identityDigest(suiName!, idTail!))
  if (!isSame || !account || !mayBeActivated(account)) {
    const counted = by === 'identity' || (await consumeAttempt(ctx, network, perNetwork))
    if (account && counted) noteRefused(ctx, account, by)
    if (!counted) throw new Failure('too-often', {}, { retryAfter: 600 })
    throw new Failure('activation-refused')
  }
  if (by === 'identity') await refundAttempt(ctx, keys)
  return { account, by, keys: keys.slice(1) }
}

/** Whether an account is a student's, is on, and has never been used: no password, and no sign-in by a provider. */
const mayBeActivated = ({ suType, suStatus, delFlag, passwordHash, lastLoginTime }: AccountRow): boolean =>
  suType === personType.student &&
  suStatus === accountStatus.active &&
  delFlag === yesNo.no &&
  passwordHash === noPassword &&
  lastLoginTime === null

/** What a proof is compared with; the same work for whoever is not there. */
async function factsOf(ctx: PublicContext, schoolId: string, suId: string) {
  const row = await from({ db: ctx.db, schoolId }, 'person')
    .leftJoin('activationCode', withinSchool('activationCode.suId', 'person.suId'))
    .select(['person.suiName', 'person.suiIdCard', 'activationCode.codeHash', 'activationCode.expireTime'])
    .where('person.suId', '=', suId)
    .executeTakeFirst()
  const idCard = unseal(row?.suiIdCard ?? null, ctx.secrets)
  return {
    codeHash: row?.codeHash && row.expireTime! > ctx.clock.now() ? row.codeHash : undefined,
    identity: row && idCard && idCard.length >= 6 ? identityDigest(row.suiName, idCard.slice(-6)) : undefined,
  }
}

/** Name and end of a document as they are compared: width, case, blanks and the kind of dot make no difference. */
const identityDigest = (suiName: string, idTail: string): Buffer =>
  createHash('sha256')
    .update(`${suiName.normalize('NFKC').replace(/[\s·•・．.]/g, '')}\n${idTail}`.toUpperCase())
    .digest()

/** Notes a refusal for its person once the answer has gone, so that staff see that somebody tries. */
function noteRefused(ctx: PublicContext, { schoolId, suId, suNickname }: AccountRow, by: ActivationProof): void {
  afterwards(ctx, 'a refused activation could not be noted', () =>
    writeAudit(ctx, { schoolId, actorId: suId, actorName: suNickname }, [
      {
        action: '激活账号',
        result: 'refused',
        bizType: 'person',
        bizId: suId,
        reason: by === 'slip' ? '激活码不符' : '姓名或证件号码不符',
      },
    ]),
  )
}
