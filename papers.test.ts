import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settingKeys } from './contract/school/school/settings.ts'

const root = import.meta.dirname

/**
 * Every text of the repository with its path, but for what programs write and this file, which names what it looks for.
 */
const texts = ['contract', 'server', 'web', 'e2e', 'bench', 'scripts', 'docs', 'public']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((at) => join(folder, at)),
  )
  .concat(readdirSync(root))
  .filter((path) => /\.(tsx?|mjs|md|sql|css|html)$/.test(path) && path !== 'papers.test.ts')
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const found = (pattern: RegExp) =>
  texts.flatMap(({ path, text }) => [...text.matchAll(pattern)].map((match) => ({ path, match })))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The numbers that a page gives, in their order. */
const numbersOf = (path: string, letter: string): string[] =>
  [...read(path).matchAll(new RegExp(`^\\*\\*(${letter}\\d+) `, 'gm'))].map(([, number]) => number!)

describe.each([
  ['docs/rules.md', 'R', 50],
  ['docs/security.md', 'S', 15],
])('%s', (page, letter, least) => {
  const numbers = numbersOf(page, letter)
  test('counts from one without a gap', () => {
    expect(numbers.length).toBeGreaterThanOrEqual(least)
    expect(numbers).toEqual(numbers.map((_, at) => `${letter}${at + 1}`))
  })
  test('holds every number that is cited', () => {
    const cited = citations(page.slice('docs/'.length), letter)
    expect(cited.length).toBeGreaterThanOrEqual(10)
    expect(cited.filter(([, number]) => !numbers.includes(number))).toEqual([])
  })
})

/**
 * Path and number of every citation: `docs/rules.md R1, R2 and R3`, over the end of a line as well, or the link
 * `[R1](../rules.md)`.
 */
function citations(page: string, letter: string): [string, string][] {
  const name = page.replace('.', '\\.')
  const between = '[\\s*/`]*'
  const list = new RegExp(`${name}${between}((?:${letter}\\d+(?:,| and| to)?${between})+)`, 'g')
  const link = new RegExp(`\\[(${letter}\\d+)\\]\\([./\\w]*${name}\\)`, 'g')
  return [...found(list), ...found(link)].flatMap(({ path, match }) =>
    match[1]!.match(/[A-Z]\d+/g)!.map((number): [string, string] => [path, number]),
  )
}

test('nothing cites a paper that is not here', () => {
  const papers = found(
    /\b(DOMAIN|SECURITY|SPEC|SHARED|HOUSE|STACK|UX|FINDINGS|REDESIGN)\b(\.md|(?=,? (\d|[A-Z] \d|Appendix|class|section)))|\bAppendix [A-Z]\b/g,
  )
  expect(papers.map(({ path, match }) => `${path}: ${match[0]}`)).toEqual([])
})

test('every decision that is cited is on record', () => {
  const cited = found(/\bdecision (\d{3})\b/g)
  expect(cited.length).toBeGreaterThan(20)
  const records = texts.map(({ path }) => /^docs\/decisions\/(\d{3})-/.exec(path)?.[1])
  expect(
    cited.filter(({ match }) => !records.includes(match[1])).map(({ path, match }) => `${path}: ${match[0]}`),
  ).toEqual([])
})

test('every file that a page links to or says something is held by is there', () => {
  const pages = texts.filter(({ path }) => path.endsWith('.md'))
  const links = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, to]) => [path, join(dirname(path), to!)]),
  )
  const named = pages
    .filter(({ path }) => path === 'docs/security.md' || path === 'docs/rules.md')
    .flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:server|contract|web|bench)\/[^`]+\.\w+)`/g)].map(([, to]) => [path, to!]),
    )
  expect(named.length).toBeGreaterThan(20)
  expect([...links, ...named].filter(([, to]) => !existsSync(join(root, to!)))).toEqual([])
})

test('the rules name settings that there are', () => {
  const named = [...read('docs/rules.md').matchAll(/\[((?:`\w+`,?\s*)+)\]/g)].flatMap(([, keys]) =>
    keys!.match(/\w+/g)!,
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((key) => !(settingKeys as string[]).includes(key))).toEqual([])
})

test('docs/glossary.md names every table of the database', () => {
  const tables = [...read('docs/schema.sql').matchAll(/^create table "?(\w+)"?/gm)].map(([, name]) => name!)
  const glossary = read('docs/glossary.md')
  expect(tables.length).toBeGreaterThan(100)
  expect(tables.filter((name) => !glossary.includes(`\`${name}\``))).toEqual([])
})

test('docs/decisions/README.md has a line for every decision', () => {
  const files = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d/.test(name))
  const lines = [...read('docs/decisions/README.md').matchAll(/^- \[\d{3}[^\]]*\]\(([\w.-]+)\)/gm)].map(
    ([, name]) => name!,
  )
  expect([...lines].sort()).toEqual(files)
})

test('every exported function of the service has a docstring', () => {
  const isElsewhere = /\/migrations\/|\/(?:demo|testing)\/|\.test\.ts$/
  const served = texts.filter(
    ({ path }) => /^server\/(?:.*\.(?:service|queries)\.ts|core\/.*\.ts)$/.test(path) && !isElsewhere.test(path),
  )
  const silent = served.flatMap(({ path, text }) => {
    const lines = text.split('\n')
    return lines.flatMap((line, at) => {
      const name = /^export (?:async )?function (\w+)|^export const (\w+) = (?:async )?(?:\(|<)/.exec(line)
      // an overload is told of by the first of them
      const isOverload =
        name?.[1] && lines.slice(0, at).some((before) => before.startsWith(`export function ${name[1]}<`))
      return name && !isOverload && !lines[at - 1]!.endsWith('*/') ? [`${path}: ${name[1] ?? name[2]!}`] : []
    })
  })
  expect(silent).toEqual([])
})

test('comments keep to the width of the code', () => {
  const wide = texts.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, at) => (line.length > 120 && /^ *(?:\/\/|\/?\*)/.test(line) ? [`${path}:${at + 1}`] : [])),
  )
  expect(wide).toEqual([])
})
