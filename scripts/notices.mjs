import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const texts = join(import.meta.dirname, 'licences')

/** Licences under which a package may be handed on with this program, by their SPDX names. */
const allowed = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Zlib',
  'Python-2.0',
  'PostgreSQL',
  'MPL-2.0',
  'OFL-1.1',
  // of libvips, a library of its own that is loaded at run time and may be replaced
  'LGPL-3.0-or-later',
])

/** Of packages whose package.json does not say which licence, but which bring its text; looked up by hand. */
const lookedUp = new Map([
  ['png-js', 'MIT'],
  // its files of data are W3C's, which asks for its notice; the package's own text has both
  ['@digitalbazaar/credentials-context', 'BSD-3-Clause'],
])

/** @typedef {{ name: string, version: string, licence: string, author: string, text: string }} Notice */

/**
 * One entry for each package: what it is called, its version and licence, and the licence's text. A package that brings
 * no text has that of another package of the same licence, under its own author's name.
 * @param {string} folder that contains `node_modules`
 * @param {string[]} paths of packages below it, such as `node_modules/a/node_modules/b`
 * @returns {{ notices: Notice[], faults: string[] }} `faults`: packages without a licence that is allowed, or without
 * text
 */
export function noticesOf(folder, paths) {
  const packages = paths.map((path) => readPackage(join(folder, path)))
  const faults = packages
    .filter(({ licence }) => !isAllowed(licence))
    .map(({ name, version, licence }) => `${name}@${version}: ${licence || 'no licence'}`)
  const standard = new Map([
    ...keptTexts(),
    ...packages.filter(({ text }) => text).map(({ licence, text }) => /** @type {const} */ ([licence, text])),
  ])
  const notices = packages.map((each) => {
    const { licence, text, author, name } = each
    const lent = standard.get(licence) ?? standard.get(licencesOf(licence).find((one) => standard.has(one)) ?? '')
    if (!text && !lent) faults.push(`${name}: no text of ${licence}`)
    const whose = `Copyright (c) ${author || `the authors of ${name}`}`
    return text || !lent ? each : { ...each, text: `${whose}\n\n${withoutCopyright(lent)}` }
  })
  const key = ({ name, version }) => `${name}@${version}`
  const unique = new Map(notices.map((notice) => [key(notice), notice]))
  return { notices: [...unique.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1)), faults: [...new Set(faults)] }
}

/** The file that goes with a release. @param {Notice[]} notices */
export const noticesText = (notices) =>
  [
    'Third-party notices\n\nThis program contains or comes with the following packages, each under its own licence.\n',
    ...notices.map(
      ({ name, version, licence, text }) =>
        `${'='.repeat(80)}\n${name} ${version}\nLicence: ${licence}\n\n${text.trim()}\n`,
    ),
  ].join('\n')

/**
 * The list of components (CycloneDX) of a release: of all that npm lists those that are handed on, on the service's
 * side and in the console, without a word of where they were fetched or what npm made them for.
 * @param {any} list as `npm sbom` writes it @param {Notice[]} notices of what is handed on
 * @returns {{ list: any, missing: string[] }} `missing`: what npm does not list
 */
export function componentsOf(list, notices) {
  const handedOn = new Map(notices.map((notice) => [`${notice.name}@${notice.version}`, notice]))
  const components = list.components
    .filter(({ 'bom-ref': ref }) => handedOn.has(ref))
    .map(({ externalReferences, properties, ...component }) => ({
      ...component,
      licenses: component.licenses ?? [{ license: { id: handedOn.get(component['bom-ref'])?.licence } }],
      properties: properties?.filter(({ name }) => name !== 'cdx:npm:package:development'),
      externalReferences: externalReferences?.filter(({ type }) => type !== 'distribution'),
    }))
  const dependencies = list.dependencies
    .filter(({ ref }) => handedOn.has(ref) || ref === list.metadata.component['bom-ref'])
    .map(({ ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn?.filter((/** @type {string} */ each) => handedOn.has(each)),
    }))
  const listed = new Set(components.map(({ 'bom-ref': ref }) => ref))
  return {
    list: { ...list, components, dependencies },
    missing: [...handedOn.keys()].filter((key) => !listed.has(key)),
  }
}

/**
 * The packages that the program needs to run and that are installed, by npm's own note of what it installed.
 * @param {string} folder
 */
export function productionPackages(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  return Object.keys(packages).filter((path) => !packages[path].dev && existsSync(join(folder, path, 'package.json')))
}

/** Texts of licences that no package brings. @returns {[string, string][]} */
const keptTexts = () =>
  readdirSync(texts).map((file) => [file.replace(/\.txt$/, ''), readFileSync(join(texts, file), 'utf8')])

/** The single licences of an SPDX expression. @param {string} licence */
const licencesOf = (licence) =>
  licence
    .replace(/[()]/g, ' ')
    .split(/\s+(?:OR|AND)\s+/)
    .map((one) => one.trim())

/** Of several to choose from one must be allowed, of several that hold together all. @param {string} licence */
const isAllowed = (licence) =>
  licence
    .replace(/[()]/g, ' ')
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every((one) => allowed.has(one.trim())))

/** @param {string} path @returns {Notice} */
function readPackage(path) {
  const { name, version, license, licenses, author } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const stated = license ?? licenses?.[0]
  const files = readdirSync(path).filter((file) => /^(licen[cs]e|copying|ofl|notice)([._-].*)?$/i.test(file))
  const text = files
    .sort()
    .map((file) => readFileSync(join(path, file), 'utf8').trim())
    .join('\n\n')
  return {
    name,
    version,
    licence: lookedUp.get(name) ?? ((typeof stated === 'string' ? stated : stated?.type) || ''),
    author: (typeof author === 'string' ? author : author?.name) ?? '',
    text: text || inReadme(path),
  }
}

/** A licence that is told at the end of the package's own page. @param {string} path */
function inReadme(path) {
  const page = readdirSync(path).find((file) => /^readme(\.|$)/i.test(file))
  const text = page ? readFileSync(join(path, page), 'utf8') : ''
  const at = text.search(/^#+\s*licen[cs]e/im)
  return at >= 0 && /permission is hereby granted|redistribution and use/i.test(text.slice(at)) ? text.slice(at) : ''
}

/** @param {string} text */
const withoutCopyright = (text) =>
  text
    .split('\n')
    .filter((line) => !/^\s*copyright\b/i.test(line))
    .join('\n')
    .trim()
