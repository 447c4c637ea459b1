import { expect, test } from 'vitest'
import { ownPath, signInPath } from './own-path.ts'

test.each([
  ['/activities/1?from=list', '/activities/1?from=list'],
  ['/', '/'],
  ['//elsewhere.example', undefined],
  ['/\\elsewhere.example', undefined],
  ['https://elsewhere.example', undefined],
  ['', undefined],
  [null, undefined],
])('an address that names %j leads to %j', (from, path) => expect(ownPath(from)).toBe(path))

test.each([
  [{ pathname: '/m/notices/ask', search: '?liId=1' }, '/login?from=%2Fnotices%2Fask%3FliId%3D1'],
  [{ pathname: '/m/', search: '' }, '/login'],
  [{ pathname: '/m', search: '' }, '/login'],
  [{ pathname: '/me', search: '' }, '/login?from=%2Fme'],
])('from %j one signs in at %s', (address, path) => expect(signInPath(address)).toBe(path))
