import { dictionary, type DictionaryType } from '../../../contract/core/dictionary.ts'
import { nations } from '../../../contract/school/people/nations.ts'
import { isEmail, isPhone } from '../../../contract/school/people/people.fields.ts'
import { regionTree } from '../organisation/regions.service.ts'

/** The value of a dictionary word; null for an empty cell, undefined for a word it does not have. */
export function valueOf(type: DictionaryType, word: string): string | null | undefined {
  return word === '' ? null : dictionary[type].find(([, label]) => label === word)?.[0]
}

const politicalWords: Record<string, string> = {
  党员: '01',
  预备党员: '02',
  团员: '03',
  共青团团员: '03',
  无党派人士: '12',
  无党派: '12',
  民革: '04',
  民盟: '05',
  民建: '06',
  民进: '07',
  农工党: '08',
  致公党: '09',
  九三学社: '10',
  台盟: '11',
}

/** Political status as people write it. */
export const politicalOf = (word: string): string | null | undefined =>
  word === '' ? null : (valueOf('political', word) ?? politicalWords[word])

/** A nation by its name, with or without 族, or by its code. */
export const nationOf = (word: string): string | null | undefined =>
  word === '' ? null : nations.find(([code, name]) => name === word || name === `${word}族` || code === word)?.[0]

export const contactFaults = ({
  suiPhone,
  suiEmail,
}: {
  suiPhone: string
  suiEmail: string
}): { key: 'suiPhone' | 'suiEmail'; msg: string }[] => [
  ...(suiPhone && !isPhone(suiPhone) ? [{ key: 'suiPhone' as const, msg: '手机号格式不正确' }] : []),
  ...(suiEmail && !isEmail(suiEmail) ? [{ key: 'suiEmail' as const, msg: '邮箱格式不正确' }] : []),
]

/** Fault of a number that nobody could sign in by. */
export const numberFault = (label: string, suiNumber: string): string | null =>
  suiNumber === '' || /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(suiNumber) ? null : `${label}只能由字母、数字、点和横线组成`

/** Fault of a day of birth that no living student or teacher has. */
export function birthFault(birth: string, today: string): string | null {
  if (birth === '') return null
  if (birth > today) return '出生日期晚于今天，请核对'
  return birth < '1920-01-01' || Number(today.slice(0, 4)) - Number(birth.slice(0, 4)) < 10
    ? '出生日期不合理，请核对'
    : null
}

interface HomePlaceWords {
  provinceName: string
  cityName: string
  areaName: string
}

/** Finds the codes of home places by their names, `湖北` as well as `湖北省`. */
export async function homePlaceFinder() {
  const tree = await regionTree()
  return ({
    provinceName,
    cityName,
    areaName,
  }: HomePlaceWords): {
    provinceId: string | null
    cityId: string | null
    areaId: string | null
    fault?: { key: keyof HomePlaceWords; msg: string }
  } => {
    const province = named(tree, provinceName)
    if (provinceName && !province)
      return {
        provinceId: null,
        cityId: null,
        areaId: null,
        fault: { key: 'provinceName', msg: `没有名为“${provinceName}”的省份` },
      }
    const city = province && named(province.children, cityName)
    if (cityName && !city)
      return {
        provinceId: null,
        cityId: null,
        areaId: null,
        fault: { key: 'cityName', msg: province ? `${province.name}没有名为“${cityName}”的城市` : '请先填写籍贯省' },
      }
    const area = city && named(city.children, areaName)
    if (areaName && !area)
      return {
        provinceId: null,
        cityId: null,
        areaId: null,
        fault: { key: 'areaName', msg: city ? `${city.name}没有名为“${areaName}”的区县` : '请先填写籍贯市' },
      }
    return { provinceId: province?.code ?? null, cityId: city?.code ?? null, areaId: area?.code ?? null }
  }
}

const named = <T extends { name: string }>(nodes: readonly T[], word: string): T | undefined =>
  word
    ? (nodes.find(({ name }) => name === word) ??
      (word.length >= 2 ? nodes.find(({ name }) => name.startsWith(word)) : undefined))
    : undefined
