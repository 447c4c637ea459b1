import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settingKeys } from './contract/school/settings.ts'

/** Domains from the ground up: each may use the services of those before it. Equal floors do not know each other. */
const floors = [
  ['files', 'imports', 'docs'],
  ['school'],
  ['organisation'],
  ['people'],
  ['roles'],
  ['session', 'messages'],
  ['curriculum', 'labels', 'circles', 'news'],
  ['evaluation', 'awards'],
  ['workflow'],
  ['approvals'],
  ['credits'],
  ['lessons', 'supplements', 'transformation'],
  ['disputes'],
  ['statistics'],
  ['transcripts', 'thresholds', 'graduation', 'home', 'personal'],
  ['reports'],
  ['audit'],
] as const
const floorOf = new Map(floors.flatMap((domains, floor) => domains.map((domain) => [domain as string, floor] as const)))

/** Parts of `server` that may use everything: they join the house together or look at it from outside. */
const outside = new Set(['app.ts', 'main.ts', 'create-school.ts', 'setup', 'demo', 'testing', 'migrations'])
const root = resolve(import.meta.dirname)
const sources = ['contract', 'server', 'web', 'e2e', 'bench'].flatMap((folder) => walk(join(root, folder)))

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? walk(join(folder, entry.name)) : /\.tsx?$/.test(entry.name) ? [join(folder, entry.name)] : [],
  )
}

interface Import {
  from: string[]
  to: string[]
  file: string
  target: string
}

const imports: Import[] = sources
  .filter((file) => !file.includes('.test.'))
  .flatMap((file) => {
    const found = [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
      (match) => match[1]!,
    )
    return found
      .filter((name) => name.startsWith('.'))
      .map((name) => {
        const target = relative(root, resolve(dirname(file), name))
        return { file: relative(root, file), target, from: relative(root, file).split('/'), to: target.split('/') }
      })
  })

const wrong = (breaks: (one: Import) => boolean) =>
  imports.filter(breaks).map(({ file, target }) => `${file} -> ${target}`)

describe('floors', () => {
  test('contract/core imports nothing but itself', () =>
    expect(
      wrong(
        ({ from, to }) => from[0] === 'contract' && from[1] === 'core' && !(to[0] === 'contract' && to[1] === 'core'),
      ),
    ).toEqual([]))
  test('contract imports only contract', () =>
    expect(wrong(({ from, to }) => from[0] === 'contract' && to[0] !== 'contract')).toEqual([]))
  test('server/core knows no domain', () =>
    expect(
      wrong(
        ({ from, to }) =>
          from[0] === 'server' &&
          from[1] === 'core' &&
          !(to[0] === 'server' && to[1] === 'core') &&
          !(to[0] === 'contract' && to[1] === 'core'),
      ),
    ).toEqual([]))
  test('web never reaches into server, server never into web', () =>
    expect(
      wrong(({ from, to }) => (from[0] === 'web' && to[0] === 'server') || (from[0] === 'server' && to[0] === 'web')),
    ).toEqual([]))
  test('web/core knows only contract/core and the apis of its own parts', () => {
    const allowed = new Set(['core', 'session', 'school', 'imports', 'files'])
    expect(
      wrong(
        ({ from, to }) =>
          from[0] === 'web' &&
          from[1] === 'core' &&
          (to[0] === 'contract' ? !allowed.has(to[1]!) : to[1] !== 'core' && to[1] !== 'styles'),
      ),
    ).toEqual([])
  })
  test('web domains do not use each other’s screens', () => {
    const domain = (path: string[]) =>
      path[0] === 'web' && path.length > 2 && !['core', 'app', 'styles'].includes(path[1]!) ? path[1] : undefined
    expect(
      wrong(
        ({ from, to }) =>
          domain(from) !== undefined &&
          domain(to) !== undefined &&
          domain(from) !== domain(to) &&
          !/\.part\.tsx?$/.test(to.at(-1)!),
      ),
    ).toEqual([])
  })

  const domainOf = (path: string[]) =>
    path[0] === 'server' && path[1] !== 'core' && !outside.has(path[1]!) ? path[1] : undefined
  test('every server domain has its floor', () =>
    expect(
      [...new Set(imports.map(({ from }) => domainOf(from)))].filter(
        (domain) => domain !== undefined && !floorOf.has(domain),
      ),
    ).toEqual([]))
  test('server domains use only services of the floors below', () => {
    expect(
      wrong(({ from, to }) => {
        const [own, other] = [domainOf(from), domainOf(to)]
        if (!own || !other || own === other) return false
        return floorOf.get(other)! >= floorOf.get(own)! || /\.(queries|table|routes)\.ts$/.test(to.at(-1)!)
      }),
    ).toEqual([])
  })
  test('nothing imports what joins the house together', () =>
    expect(wrong(({ from, to }) => domainOf(from) !== undefined && to[0] === 'server' && outside.has(to[1]!))).toEqual(
      [],
    ))
})

describe('habits', () => {
  // one subject a file; these tables are read from top to bottom, and tables.ts is generated
  const long = new Set(['contract/screens.ts', 'contract/school/settings.ts', 'server/core/database/tables.ts'])
  test('no source is longer than 400 lines, no test longer than 500', () => {
    const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1
    const maxLines = (file: string) => (/\.(test|e2e)\.tsx?$/.test(file) ? 500 : 400)
    expect(
      sources
        .filter((file) => !long.has(relative(root, file)) && lines(file) > maxLines(file))
        .map((file) => `${relative(root, file)}: ${lines(file)}`),
    ).toEqual([])
  })
  test('process.env is read by the configuration only', () => {
    const readers = sources
      .filter(
        (file) =>
          /server\/(core|[a-z]+)\//.test(file) &&
          !/\.test\.ts$|server\/testing\//.test(file) &&
          readFileSync(file, 'utf8').includes('process.env'),
      )
      .map((file) => relative(root, file))
    expect(readers).toEqual([])
  })
  test('every setting of a school is read somewhere', () => {
    const readers = sources
      .filter(
        (file) =>
          /\/(server|web)\//.test(file) &&
          !file.includes('.test.') &&
          !/\/(web\/school|server\/testing|server\/core\/database)\//.test(file),
      )
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
    const words = new Set(readers.match(/\b[a-z][A-Za-z]+\b/g))
    expect(settingKeys.filter((key) => !words.has(key))).toEqual([])
  })
  test('no default exports', () => {
    const defaults = sources
      .filter((file) => /^export default/m.test(readFileSync(file, 'utf8')))
      .map((file) => relative(root, file))
    expect(defaults).toEqual([])
  })
})
