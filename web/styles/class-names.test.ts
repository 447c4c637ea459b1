import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * What a stylesheet sets at a class by itself, by class. All of them are in force at once when several screens stand
 * open, so two that say different things of one class would change each other's screens.
 */
const root = join(import.meta.dirname, '..')
/** The students' pages are a bundle of their own that builds on `base.css`. */
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.css') && !file.startsWith('student'),
)

test('no class is laid out by two stylesheets', () => {
  const laidOut = new Map<string, Map<string, string>>()
  for (const file of files)
    for (const [, name, body] of readFileSync(join(root, file), 'utf8').matchAll(/^\.([\w-]+) \{([^}]*)\}/gm)) {
      const places = laidOut.get(name!) ?? new Map<string, string>()
      if (!places.has(file)) places.set(file, body!.trim())
      laidOut.set(name!, places)
    }
  const clashes = [...laidOut].filter(([, places]) => new Set(places.values()).size > 1)
  expect(files.length).toBeGreaterThan(20)
  expect(clashes.map(([name, places]) => `${name}: ${[...places.keys()].join('、')}`)).toEqual([])
})
