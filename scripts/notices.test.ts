import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Notice {
  name: string
  version: string
  licence: string
  text: string
}
interface Bom {
  components: {
    'bom-ref': string
    licenses: { license?: { id: string }; expression?: string }[]
    externalReferences: object[]
  }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}
const { componentsOf, noticesOf, noticesText, productionPackages } = (await import(
  new URL('./notices.mjs', import.meta.url).href
)) as {
  componentsOf: (list: object, notices: Notice[]) => { list: Bom; missing: string[] }
  noticesOf: (folder: string, paths: string[]) => { notices: Notice[]; faults: string[] }
  noticesText: (notices: Notice[]) => string
  productionPackages: (folder: string) => string[]
}
const root = join(import.meta.dirname, '..')

test('every package that the program needs to run has its licence and its text, and the licence is allowed', () => {
  const paths = productionPackages(root)
  expect(paths.length).toBeGreaterThan(150)
  const { notices, faults } = noticesOf(root, paths)
  expect(faults).toEqual([])
  const names = new Set(paths.map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)))
  expect(new Set(notices.map(({ name }) => name))).toEqual(names)
  const text = noticesText(notices)
  for (const { name, version, text: own } of notices) {
    expect(own.length, name).toBeGreaterThan(150)
    expect(text).toContain(`\n${name} ${version}\nLicence: `)
  }
})

test('the list of components has every package that is handed on, also one that another package has for its development', () => {
  const written = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--loglevel=silent'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  const { notices } = noticesOf(root, productionPackages(root))
  const { list, missing } = componentsOf(JSON.parse(written.slice(written.indexOf('{'))) as object, notices)
  expect(missing).toEqual([])
  expect(list.components.map((each) => each['bom-ref'])).toEqual(
    expect.arrayContaining([expect.stringMatching(/^nodemailer@/), expect.stringMatching(/^dayjs@/)]),
  )
  expect(list.components.length).toBe(notices.length)
  expect(list.components.filter(({ licenses: [first] }) => !first?.license && !first?.expression)).toEqual([])
  // not where they were fetched, and nothing that stays behind
  expect(JSON.stringify(list)).not.toMatch(/"distribution"|package:development|"vitest@/)
})

test('a package whose licence is not allowed, or that has none, is refused by name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-notices-'))
  const add = (name: string, licence: string | undefined) => {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true })
    writeFileSync(join(folder, 'node_modules', name, 'LICENSE'), 'text')
    writeFileSync(
      join(folder, 'node_modules', name, 'package.json'),
      JSON.stringify({ name, version: '1.0.0', license: licence }),
    )
    return `node_modules/${name}`
  }
  const paths = [
    add('a', 'MIT'),
    add('b', 'SSPL-1.0'),
    add('c', undefined),
    add('d', '(MIT AND GPL-3.0-only)'),
    add('e', '(MIT OR GPL-3.0-only)'),
  ]
  expect(noticesOf(folder, paths).faults).toEqual([
    'b@1.0.0: SSPL-1.0',
    'c@1.0.0: no licence',
    'd@1.0.0: (MIT AND GPL-3.0-only)',
  ])
  rmSync(folder, { recursive: true })
})
