import { expect, test } from 'vitest'
import { datedVersions, mayKeep } from './kept-releases.mjs'

const changelog = `# Changelog

## [Unreleased]

Of [0.4.0] - 2026-12-01 there is talk, but no heading.

## [0.3.0] - 2026-11-27

## [0.3.0-rc.1] - 2026-11-26 [YANKED]

## [0.2.9]

### [0.2.8] - 2026-11-20
`

test('released is what has a heading with a date', () => {
  expect(datedVersions(changelog)).toEqual(['0.3.0', '0.3.0-rc.1'])
  expect(datedVersions('')).toEqual([])
})

test.each([
  { what: 'a version that is not in the changelog', version: '0.4.0', committed: false, may: true },
  { what: 'one that is committed and not yet dated', version: '0.4.0', committed: true, may: true },
  { what: 'one whose heading has no date', version: '0.2.9', committed: true, may: true },
  { what: 'one that is dated before it is kept', version: '0.3.0', committed: false, may: true },
  { what: 'one that is dated and committed', version: '0.3.0', committed: true, may: false },
  { what: 'one that was taken back', version: '0.3.0-rc.1', committed: true, may: false },
  { what: 'one whose name begins that of a released one', version: '0.3', committed: true, may: true },
])('whether the database of $what may be kept: $may', ({ version, committed, may }) => {
  expect(mayKeep(version, changelog, committed)).toBe(may)
})
