import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { screens } from './contract/screens.ts'
import { settingKeys } from './contract/school/school/settings.ts'

/**
 * The wings of the house from the ground up, and in each the floors of its domains: a domain may use the services and
 * queries of those on floors before its own. Domains of one floor do not know each other.
 */
const wings: Record<string, readonly (readonly string[])[]> = {
  platform: [['files', 'imports', 'notifications', 'docs', 'background', 'outbox'], ['news']],
  school: [
    ['school'],
    ['organisation'],
    ['people'],
    ['roles'],
    ['session', 'messages', 'audit', 'runtime', 'integration'],
    ['identity', 'retention', 'sources', 'channels'],
  ],
  rules: [
    ['curriculum', 'labels'],
    ['evaluation', 'awards', 'transformation', 'workflow'],
  ],
  programme: [
    ['credits', 'circles', 'approvals'],
    ['lessons', 'supplements'],
    ['scoring', 'disputes', 'home', 'personal'],
  ],
  outcomes: [['statistics'], ['transcripts', 'thresholds', 'graduation'], ['reports', 'province']],
}
const wingNames = Object.keys(wings)
const floorOf = new Map<string, number>(
  Object.entries(wings).flatMap(([wing, floors]) =>
    floors.flatMap((domains, floor) => domains.map((domain) => [`${wing}/${domain}`, floor] as const)),
  ),
)

/** The rooms of the two cores, from the ground up. */
const serverCore = [
  'base',
  'database',
  'files',
  'pdf',
  'postgres',
  'jobs',
  'secrets',
  'credentials',
  'backup',
  'sheets',
  'request',
  'http',
  'audit',
  'export',
  'watch',
]
const webCore = ['service', 'parts', 'screen', 'form', 'action', 'list', 'import', 'chart']
/** The rooms of what happens to a course, from the ground up; files beside them join the rooms. */
const lessonRooms = [
  'model',
  'form',
  'registration',
  'signing',
  'credit',
  'approval',
  'planning',
  'result',
  'lists',
  'importers',
]

/** Parts of `server` that may use everything: they join the house together or look at it from outside. */
const outside = new Set([
  'app.ts',
  'main.ts',
  'program.ts',
  'web-process.ts',
  'create-school.ts',
  'upgrade.ts',
  'setup',
  'demo',
  'testing',
  'spec-client',
  'migrations',
])
const root = resolve(import.meta.dirname)
const sources = ['contract', 'server', 'web', 'e2e', 'bench'].flatMap((folder) => walk(join(root, folder)))

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? walk(join(folder, entry.name)) : /\.tsx?$/.test(entry.name) ? [join(folder, entry.name)] : [],
  )
}

/** One import of one of our files by another; paths from the root, taken apart at their slashes. */
interface Import {
  from: string[]
  to: string[]
}

const imports: Import[] = sources
  .filter((file) => !file.includes('.test.'))
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, name]) => ({
      from: relative(root, file).split('/'),
      to: relative(root, resolve(dirname(file), name!)).split('/'),
    })),
  )

const isCore = (path: string[]) => path[1] === 'core'
const isDomain = (path: string[]) => path.length > 3 && wingNames.includes(path[1]!)
/** What every screen of the console asks for: tasks, files and imports, and the preferences of the person. */
const isAskedByWebCore = (from: string[], to: string[]) =>
  from[0] === 'web' && to[0] === 'contract' && (to[1] === 'platform' || domainOf(to) === 'school/session')
const domainOf = (path: string[]) => `${path[1]}/${path[2]}`
/** Whether one room of a list lies above another; what is in no room is beside them. */
const isAbove = (rooms: readonly string[], room: string, other: string) =>
  rooms.includes(room) && rooms.includes(other) && rooms.indexOf(room) > rooms.indexOf(other)

/** What an import may not do, and where to go instead. */
const rules: readonly { rule: string; instead: string; isBroken: (one: Import) => boolean }[] = [
  {
    rule: 'server and web meet only in contract',
    instead: 'put what both need into contract/',
    isBroken: ({ from, to }) => (from[0] === 'web' && to[0] === 'server') || (from[0] === 'server' && to[0] === 'web'),
  },
  {
    rule: 'contract imports only contract, and its core only itself',
    instead: 'hand the value in, or move what is needed down into contract/core',
    isBroken: ({ from, to }) => from[0] === 'contract' && (to[0] !== 'contract' || (isCore(from) && !isCore(to))),
  },
  {
    rule: 'the core of server and web knows no domain',
    instead: 'let the domain hand in what the core needs (a function or a table, as app.ts does)',
    isBroken: ({ from, to }) => from[0] !== 'contract' && isCore(from) && isDomain(to) && !isAskedByWebCore(from, to),
  },
  {
    rule: 'no wing, core or shared part imports the students’ side',
    instead: 'move what both need into a domain or web/shared',
    isBroken: ({ from, to }) =>
      from[0] === to[0] &&
      to[1] === 'student' &&
      (isDomain(from) || isCore(from) || from[1] === 'app' || from[1] === 'shared'),
  },
  {
    rule: 'of the console the students’ side uses core, shared and the sign-in of web/app',
    instead: 'move what both need into web/shared/<noun>/',
    isBroken: ({ from, to }) => from[0] === 'web' && from[1] === 'student' && isDomain(to) && to[0] === 'web',
  },
  {
    rule: 'of the scripts the service uses only what both write to a terminal with, and how programs are bundled',
    instead:
      'put what both need into server/core/base; a script may import that, but for those that run before the build',
    isBroken: ({ from, to }) =>
      from[0] === 'server' &&
      to[0] === 'scripts' &&
      !['scripts/progress.mjs', 'scripts/bundling.mjs'].includes(to.join('/')),
  },
  {
    rule: 'a room of server/core uses only rooms below it',
    instead: `move the shared part down; from the ground up: ${serverCore.join(' < ')}`,
    isBroken: ({ from, to }) =>
      from[0] === 'server' && to[0] === 'server' && isCore(from) && isCore(to) && isAbove(serverCore, to[2]!, from[2]!),
  },
  {
    rule: 'a room of web/core uses only rooms below it',
    instead: `move the shared part down; from the ground up: ${webCore.join(' < ')}`,
    isBroken: ({ from, to }) =>
      from[0] === 'web' && to[0] === 'web' && isCore(from) && isCore(to) && isAbove(webCore, to[2]!, from[2]!),
  },
  {
    rule: 'wings point one way',
    instead: `move the file or hand the function in from server/app.ts; from the ground up: ${wingNames.join(' < ')}`,
    isBroken: ({ from, to }) =>
      from[0] === to[0] && isDomain(from) && isDomain(to) && isAbove(wingNames, to[1]!, from[1]!),
  },
  {
    rule: 'a server domain uses only domains on floors below its own',
    instead: 'move the file, or hand the function in from server/app.ts (see ARCHITECTURE.md, Floors)',
    isBroken: ({ from, to }) =>
      from[0] === 'server' &&
      to[0] === 'server' &&
      isDomain(from) &&
      isDomain(to) &&
      from[1] === to[1] &&
      from[2] !== to[2] &&
      floorOf.get(domainOf(to))! >= floorOf.get(domainOf(from))!,
  },
  {
    rule: 'the tables and routes of a domain are its own',
    instead: 'use a function of its *.service.ts or *.queries.ts, or add one there',
    isBroken: ({ from, to }) =>
      from[0] === 'server' &&
      to[0] === 'server' &&
      isDomain(from) &&
      isDomain(to) &&
      domainOf(from) !== domainOf(to) &&
      /\.(table|routes)\.ts$/.test(to.at(-1)!),
  },
  {
    rule: 'a room of server/programme/lessons uses only rooms below it',
    instead: `move the shared part down; from the ground up: ${lessonRooms.join(' < ')}`,
    isBroken: ({ from, to }) => {
      const isLessons = (path: string[]) => path.slice(0, 3).join('/') === 'server/programme/lessons'
      if (!isLessons(from) || !isLessons(to)) return false
      return lessonRooms.includes(from[3]!) && (to.length === 4 || isAbove(lessonRooms, to[3]!, from[3]!))
    },
  },
  {
    rule: 'nothing imports what joins the house together',
    instead: 'let server/app.ts or server/setup hand it in',
    isBroken: ({ from, to }) =>
      from[0] === 'server' && to[0] === 'server' && (isDomain(from) || isCore(from)) && outside.has(to[1]!),
  },
  {
    rule: 'a domain of the console shows nothing of another one',
    instead: 'move what several domains show into web/shared/<noun>/',
    isBroken: ({ from, to }) =>
      from[0] === 'web' && to[0] === 'web' && isDomain(from) && isDomain(to) && domainOf(from) !== domainOf(to),
  },
  {
    rule: 'web/core and web/shared know no screens',
    instead: 'hand in what they need as a property',
    isBroken: ({ from, to }) =>
      from[0] === 'web' &&
      to[0] === 'web' &&
      (isCore(from) || from[1] === 'shared') &&
      (isDomain(to) || to[1] === 'app' || (isCore(from) && to[1] === 'shared')),
  },
]

describe('floors', () => {
  test.each(rules)('$rule', ({ rule, instead, isBroken }) => {
    const broken = imports.filter(isBroken).map(({ from, to }) => `${from.join('/')} imports ${to.join('/')}`)
    expect(broken, `${rule}; instead, ${instead}`).toEqual([])
  })

  test('every domain has its wing and floor', () => {
    const sides = ['contract', 'server', 'web']
    const known = new Set([...floorOf.keys(), ...['core', 'shared', 'app', 'student'].map((name) => name)])
    const domains = sources
      .map((file) => relative(root, file).split('/'))
      .filter((path) => sides.includes(path[0]!) && path.length > 3 && !outside.has(path[1]!))
      .map((path) => (wingNames.includes(path[1]!) ? domainOf(path) : path[1]!))
    expect([...new Set(domains)].filter((domain) => !known.has(domain))).toEqual([])
  })

  test('every room of a core is known', () => {
    const rooms = (side: string, known: readonly string[]) =>
      readdirSync(join(root, side, 'core')).filter((name) => !known.includes(name))
    expect([...rooms('server', serverCore), ...rooms('web', webCore)]).toEqual([])
  })
})

describe('habits', () => {
  // one subject a file; these tables are read from top to bottom, and tables.ts is generated
  const tables = new Set([
    'contract/screens.ts',
    'contract/school/school/settings.ts',
    'contract/core/dictionary.ts',
    'server/core/database/tables.ts',
  ])
  test('no source is longer than 400 lines, no test longer than 500', () => {
    const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1
    const most = (file: string) => (/\.(test|e2e)\.tsx?$/.test(file) ? 500 : 400)
    const long = sources.filter((file) => !tables.has(relative(root, file)) && lines(file) > most(file))
    expect(long.map((file) => `${relative(root, file)}: ${lines(file)}`)).toEqual([])
  })

  test('what the service leads to in the console is a screen', () => {
    const known = new Set<string>(screens.map(({ path }) => path))
    const strays = sources
      .filter((file) => /\/server\//.test(file) && !/\.test\.ts$|server\/testing\//.test(file))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/\blink: ?['"`](\/[^'"`?$]*)/g)]
          .filter(([, path]) => !known.has(path!))
          .map(([, path]) => `${relative(root, file)}: ${path!}`),
      )
    expect(strays).toEqual([])
  })

  test('process.env is read by the configuration only', () => {
    const readers = sources.filter(
      (file) =>
        /\/server\/.+\//.test(file) &&
        !/\.test\.ts$|server\/testing\//.test(file) &&
        readFileSync(file, 'utf8').includes('process.env'),
    )
    expect(readers.map((file) => relative(root, file))).toEqual([])
  })

  test('every setting of a school is read somewhere', () => {
    const text = sources
      .filter((file) => /\/(server|web)\//.test(file) && !file.includes('.test.'))
      .filter((file) => !/\/(web\/school\/school|server\/testing|server\/core\/database)\//.test(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
    const words = new Set(text.match(/\b[a-z][A-Za-z]+\b/g))
    expect(settingKeys.filter((key) => !words.has(key))).toEqual([])
  })

  test('every number that people see is written by one function', () => {
    const around = sources.filter(
      (file) =>
        /\/(contract|server|web)\//.test(file) &&
        !file.endsWith('contract/core/figure.ts') &&
        /toLocaleString|NumberFormat\(|\\B\(\?=/.test(readFileSync(file, 'utf8')),
    )
    expect(around.map((file) => `${relative(root, file)}: see contract/core/figure.ts`)).toEqual([])
  })

  test('every count in a text is written by that function', () => {
    const isTold = (file: string) =>
      /\/(contract|server|web)\//.test(file) &&
      !/\.test\.tsx?$|server\/(testing|demo|setup|migrations)\/|server\/core\/backup\//.test(file)
    const names = String.raw`\w+Count|affected|people|points|quota|used|restored|hours|\w+[!?]?\.(?:total|count)`
    const count = String.raw`\{(?:[\w!?]+\.)*(?:${names})!?\}`
    const inText = new RegExp(String.raw`\$${count}`)
    const inMarkup = new RegExp(String.raw`(?:^|[>\s])${count}`)
    const bare = sources.filter(isTold).flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          (/\p{Script=Han}/u.test(line) && inText.test(line)) || (file.endsWith('.tsx') && inMarkup.test(line))
            ? [`${relative(root, file)}:${at + 1}: see contract/core/figure.ts`]
            : [],
        ),
    )
    expect(bare).toEqual([])
  })

  test('every name that the console puts in quotation marks is quoted by one function', () => {
    const around = sources.filter(
      (file) => /\/web\//.test(file) && !file.includes('.test.') && /“\$?\{|[^)]\}”/.test(readFileSync(file, 'utf8')),
    )
    expect(around.map((file) => `${relative(root, file)}: see quoted in contract/core/quotes.ts`)).toEqual([])
  })

  test('nothing is exported that only its file uses', () => {
    // what tests, benches and the demonstration lend each other may wait for its second user
    const waits = /server\/(?:testing|demo|migrations|spec-client)\/|^(?:e2e|bench)\/|core\/database\/tables\.ts$/
    const scripts = walk(join(root, 'scripts')).concat(
      readdirSync(root)
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(root, name)),
    )
    const uses = new Map<string, number>()
    const texts = [...sources, ...scripts].map((file) => [relative(root, file), readFileSync(file, 'utf8')] as const)
    for (const [, text] of texts)
      for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g))) uses.set(word, (uses.get(word) ?? 0) + 1)
    const alone = texts
      .filter(([file]) => !waits.test(file))
      .flatMap(([file, text]) =>
        [...text.matchAll(/^export (?:async )?(?:function\*?|const|let|class|interface|type) ([\w$]+)/gm)]
          .filter(([, name]) => uses.get(name!) === 1)
          .map(([, name]) => `${file}: ${name!}`),
      )
    expect(alone).toEqual([])
  })

  test('no default exports', () => {
    const defaults = sources.filter((file) => /^export default/m.test(readFileSync(file, 'utf8')))
    expect(defaults.map((file) => relative(root, file))).toEqual([])
  })
})

describe('papers', () => {
  test('docs/map.md has a line for every domain and room, and for nothing else', () => {
    const lines = readFileSync(join(root, 'docs/map.md'), 'utf8').matchAll(/^\| `([\w/-]+)` +\| +\S/gm)
    const rooms = (folder: string, names: readonly string[]) => names.map((name) => `${folder}/${name}`)
    expect([...lines].map(([, name]) => name)).toEqual([
      ...floorOf.keys(),
      ...rooms('server/core', serverCore),
      ...rooms('web/core', webCore),
      ...rooms('server/programme/lessons', lessonRooms),
    ])
  })

  const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'bench/README.md'].concat(
    readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  )

  test('every file that a page names exists', () => {
    const missing = pages
      .filter((page) => existsSync(join(root, page)))
      .flatMap((page) =>
        [
          ...readFileSync(join(root, page), 'utf8').matchAll(
            /`((?:contract|server|web|e2e|bench|docs|scripts)\/[\w./-]+)`/g,
          ),
        ]
          .map(([, name]) => name!)
          .filter((name) => !existsSync(join(root, name)))
          .map((name) => `${page}: ${name}`),
      )
    expect(missing).toEqual([])
  })
})
