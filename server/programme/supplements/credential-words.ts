import { createHash } from 'node:crypto'
import type { SupplementHint } from '../../../contract/programme/supplements/supplements.schema.ts'
import { quoted } from '../../../contract/core/quotes.ts'
import type { ForeignVerdict } from '../../core/credentials/foreign-credential.ts'

/** What a reviewer reads of a credential that came with a record. It decides nothing. Pure. */

type Line = Pick<SupplementHint, 'level' | 'text'>

/** The student whom the record is for. */
export interface Claimant {
  suiName: string
  suiNumber: string
}

const unchecked: Record<ForeignVerdict['why'], string> = {
  '': '',
  'no-proof': '文件里没有数字签名',
  suite: '使用了本系统不支持的签名方式',
  context: '使用了本系统不认识的术语表',
  'no-key': '取不到签发者的公钥',
  unreadable: '内容不符合规范或过于庞大',
}

/**
 * Sentences on a credential: signature and issuer, whether it still holds, and whose it is.
 * @param now ISO 8601 @param prior records with credentials of this issuer that were approved before
 */
export function credentialLines(verdict: ForeignVerdict, claimant: Claimant, now: string, prior: number): Line[] {
  const lines: Line[] = []
  const add = (level: Line['level'], text: string) => lines.push({ level, text })
  const title = quoted(verdict.title || '未命名')
  const issuer = `${verdict.issuerName || '未署名'}（${verdict.issuer || '没有标识'}）`
  if (verdict.signature === 'good') add('info', `电子凭证${title}签名有效，由 ${issuer} 签发`)
  else if (verdict.signature === 'unbound')
    add('warning', `电子凭证${title}签名完好，但不能证明签名密钥属于所写的签发者 ${issuer}，请另行核实`)
  else if (verdict.signature === 'bad')
    add('warning', `电子凭证${title}签名无效：内容被改动过，或不是由所写的签发者 ${issuer} 签发`)
  else add('warning', `电子凭证${title}未能核验：${unchecked[verdict.why]}，请查看原件`)
  if (verdict.revocation === 'yes') add('warning', '凭证已被签发者撤销')
  else if (verdict.revocation === 'unknown' && verdict.signature === 'good')
    add('warning', '未能取得签发者的撤销名单，不能确认凭证是否已被撤销')
  if (verdict.from && Date.parse(verdict.from) > Date.parse(now)) add('warning', '凭证尚未生效')
  if (verdict.until && Date.parse(verdict.until) < Date.parse(now))
    add('warning', `凭证已于 ${verdict.until.slice(0, 10)} 过期`)
  const person = personOf(verdict, claimant)
  if (person === 'same') add('info', '凭证上的姓名或学号与申报学生一致')
  else if (person === 'other') add('warning', '凭证上写明的持有人不是申报学生，请核对')
  else add('warning', '凭证没有写明持有人，请核对是否属于申报学生')
  if (verdict.signature === 'good')
    add(
      prior > 0 ? 'info' : 'warning',
      prior > 0
        ? `本校此前已通过 ${prior} 条使用该签发者凭证的补录`
        : '本校还没有通过过该签发者的凭证，请核实签发者是否可信',
    )
  return lines
}

/** Whether a credential names the student, plainly or as a salted hash; `unknown` where it names nobody. */
export function personOf(
  { identities }: ForeignVerdict,
  { suiName, suiNumber }: Claimant,
): 'same' | 'other' | 'unknown' {
  const told = identities.filter(({ hash }) => hash !== '')
  if (told.length === 0) return 'unknown'
  const own = [suiName, suiNumber].filter((one) => one !== '')
  const isOwn = ({ hash, isHashed, salt }: (typeof told)[number]): boolean =>
    own.some((one) =>
      isHashed
        ? hash.toLowerCase() === `sha256$${createHash('sha256').update(`${one}${salt}`, 'utf8').digest('hex')}`
        : hash.trim() === one,
    )
  // a number that is another's is another person, whatever the name says
  const numbers = told.filter(({ type, isHashed }) => !isHashed && /sourcedId/i.test(type))
  if (numbers.length > 0 && !numbers.some(isOwn) && !told.some((one) => one.type !== 'name' && isOwn(one)))
    return told.some(isOwn) ? 'unknown' : 'other'
  return told.some(isOwn) ? 'same' : 'other'
}
