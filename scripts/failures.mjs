import { existsSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './root.mjs'

/** Where each runner writes what has become of its tests, below the folder that is not kept. */
const folder = `${root}/test-results`
const serverReport = `${folder}/server.json`
/** @param {number} half */
const journeyReport = (half) => `${folder}/journeys-${half}.json`

/** Makes Vitest write its report beside what it prints. */
export const serverReporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${serverReport}`]

/** Makes Playwright write the report of a half beside what it prints. @param {number} half */
export const journeyReporters = (half) => ({
  args: ['--reporter=list,json'],
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: journeyReport(half) },
})

/** Forgets the reports of a former run. */
export function forgetReports() {
  for (const file of [serverReport, journeyReport(1), journeyReport(2)]) rmSync(file, { force: true })
}

/**
 * The tests that failed, each with the beginning of its message: a long run ends with them, for what it printed on the
 * way is far above, and often cut off by who keeps it.
 * @returns {string[]}
 */
export const failures = () => [
  ...failuresOf(serverReport, ({ testResults }) =>
    testResults.flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      const file = relative(root, name)
      if (failed.length === 0 && message) return [told(file, '', message)]
      return failed.map(({ fullName, failureMessages }) => told(file, fullName, failureMessages.join('\n')))
    }),
  ),
  ...[1, 2].flatMap((half) => failuresOf(journeyReport(half), ({ suites }) => suites.flatMap(failedSpecs))),
]

/** @typedef {{ specs?: { ok: boolean, title: string, file: string, tests: { results: { error?: { message?: string } }[] }[] }[], suites?: Suite[] }} Suite */

/** @param {Suite} suite @returns {string[]} */
const failedSpecs = ({ specs = [], suites = [] }) => [
  ...specs.flatMap(({ ok, title, file, tests }) => {
    const message = tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? '')).find(Boolean)
    return ok || !message ? [] : [told(`e2e/${file}`, title, message)]
  }),
  ...suites.flatMap(failedSpecs),
]

/** @param {string} file @param {string} title @param {string} message */
const told = (file, title, message) =>
  `✗ ${file} › ${title}\n${stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => !/^\s+at .*node_modules/.test(line))
    .slice(0, 14)
    .map((line) => `    ${line.slice(0, 240)}`)
    .join('\n')}`

/** @param {string} file @param {(report: any) => string[]} read @returns {string[]} */
const failuresOf = (file, read) => (existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : [])
