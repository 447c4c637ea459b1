import { existsSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './root.mjs'

/** Where each runner writes what has become of its tests, below the folder that is not kept. */
const folder = `${root}/test-results`
/** @param {string} name */
const serverReport = (name) => `${folder}/server-${name}.json`
/** @param {string} name */
const journeyReport = (name) => `${folder}/journeys-${name}.json`

/** Makes Vitest write its report beside what it prints. @param {string} name of the run */
export const serverReporters = (name) => [
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${serverReport(name)}`,
]

/** Makes Playwright write its report beside what it prints. @param {string} name of the run */
export const journeyReporters = (name) => ({
  args: ['--reporter=list,json'],
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: journeyReport(name) },
})

/** Forgets the reports of former runs. */
export const forgetReports = () => rmSync(folder, { recursive: true, force: true })

/**
 * @typedef {{ file: string, text: string }} Failure a test that failed: its file, and what a long run ends with, for
 *   what it printed on the way is far above, and often cut off by who keeps it
 */

/** The server tests of a run that failed. @param {string} name @returns {Failure[]} */
export const serverFailures = (name) =>
  failuresOf(serverReport(name), ({ testResults }) =>
    testResults.flatMap(({ name: path, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      const file = relative(root, path)
      if (failed.length === 0 && message) return [told(file, '', message)]
      return failed.map(({ fullName, failureMessages }) => told(file, fullName, failureMessages.join('\n')))
    }),
  )

/** The journeys of a run that failed. @param {string} name @returns {Failure[]} */
export const journeyFailures = (name) =>
  failuresOf(journeyReport(name), ({ suites }) => suites.flatMap((suite) => failedSpecs(suite)))

/**
 * @typedef {{ file: string, specs?: { ok: boolean, title: string, tests: { results: { error?: { message?: string } }[]
 * }[] }[], suites?: Suite[] }} Suite
 */

/**
 * A journey is run again by the file that Playwright collected it from. That is the outermost suite's: a spec names the
 * file that calls `test`, which may be a part that several files share.
 * @param {Suite} suite @param {string} [collected] @returns {Failure[]}
 */
const failedSpecs = ({ file, specs = [], suites = [] }, collected = file) => [
  ...specs.flatMap(({ ok, title, tests }) => {
    const message = tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? '')).find(Boolean)
    return ok || !message ? [] : [told(`e2e/${collected}`, title, message)]
  }),
  ...suites.flatMap((suite) => failedSpecs(suite, collected)),
]

/** @param {string} file @param {string} title @param {string} message @returns {Failure} */
const told = (file, title, message) => ({
  file,
  text: `✗ ${file} › ${title}\n${stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => !/^\s+at .*node_modules/.test(line))
    .slice(0, 14)
    .map((line) => `    ${line.slice(0, 240)}`)
    .join('\n')}`,
})

/** @param {string} file @param {(report: any) => Failure[]} read @returns {Failure[]} */
const failuresOf = (file, read) => (existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : [])
