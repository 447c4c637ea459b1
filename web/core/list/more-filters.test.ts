import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
/** What each screen writes as its filters behind 更多筛选. */
const places = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^( +)moreFilters=\{\{\n(.*?)^\1\}\}/gms)].map(
      ([, , place]) => ({ file, place: place! }),
    ),
  )

test('what the filters behind 更多筛选 set is named beside them, so that none works unseen', () => {
  expect(places.length).toBeGreaterThan(15)
  const unnamed = places.flatMap(({ file, place }) => {
    const [names, filters] = place.split(/^ +filters:/m) as [string, string]
    return [
      ...[...filters.matchAll(/\bname="(\w+)"/g)].map(([, name]) => name!),
      ...[...filters.matchAll(/\bnames=\{\[(.*?)\]\}/g)].flatMap(([, pair]) => pair!.match(/\w+/g) ?? []),
      ...[...filters.matchAll(/\bnames=\{\{(.*?)\}\}/gs)].flatMap(([, places]) =>
        [...places!.matchAll(/'(\w+)'/g)].map(([, name]) => name!),
      ),
    ]
      .filter((name) => !names.includes(`'${name}'`))
      .map((name) => `${file}: ${name}`)
  })
  expect(unnamed).toEqual([])
})
