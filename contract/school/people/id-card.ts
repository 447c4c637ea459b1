import { idDocument, personSex } from '../../core/codes/school.ts'
/** What an 18-digit resident identity number (GB 11643) says of its holder. */
interface IdCardFacts {
  /** `yyyy-MM-dd` */
  birth: string
  /** `'1'` man, `'2'` woman, as in the dictionary `sex`. */
  sex: '1' | '2'
}

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const checkSigns = '10X98765432'

/** Reads an identity number; null where its length, its day of birth or its check character is wrong. */
export function readIdCard(text: string): IdCardFacts | null {
  const number = text.trim().toUpperCase()
  if (!/^[1-9]\d{16}[\dX]$/.test(number)) return null
  const sum = weights.reduce((total, weight, at) => total + weight * Number(number[at]), 0)
  if (checkSigns[sum % 11] !== number[17]) return null
  const birth = `${number.slice(6, 10)}-${number.slice(10, 12)}-${number.slice(12, 14)}`
  const day = new Date(`${birth}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== birth) return null
  return { birth, sex: Number(number[16]) % 2 === 1 ? personSex.male : personSex.female }
}

/**
 * What is wrong with an identity number beside the other facts of its holder; null where nothing is. Other kinds of
 * papers are not checked, and masked texts (with `*`) cannot be.
 */
export function idCardFault({
  suiIdType,
  suiIdCard,
  birth,
  suiSex,
}: {
  suiIdType?: string | null | undefined
  suiIdCard?: string | null | undefined
  birth?: string | null | undefined
  suiSex?: string | null | undefined
}): string | null {
  if (!suiIdCard || suiIdCard.includes('*') || (suiIdType && suiIdType !== idDocument.residentCard)) return null
  const facts = readIdCard(suiIdCard)
  if (!facts) return '身份证号不正确，请核对位数与校验位'
  if (birth && !birth.includes('*') && birth !== facts.birth) return '身份证号与出生日期不一致'
  if ((suiSex === personSex.male || suiSex === personSex.female) && suiSex !== facts.sex) return '身份证号与性别不一致'
  return null
}
