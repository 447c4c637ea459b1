import { expect, test } from 'vitest'
import { asFailure } from './http-errors.ts'

test.each([
  ['a connection that the server ended', { code: '57P01' }, 'unavailable'],
  ['a crash of the server', { code: '57P02' }, 'unavailable'],
  ['a connection that was lost', { code: '08003' }, 'unavailable'],
  ['a standby, which only reads', { code: '25006' }, 'unavailable'],
  ['writers that stood in each other’s way to the end', { code: '40P01' }, 'unavailable'],
  ['a host that is away', { code: 'EHOSTUNREACH' }, 'unavailable'],
  ['a network that is away', { code: 'ENETUNREACH' }, 'unavailable'],
  ['a host that does not answer', { code: 'ETIMEDOUT' }, 'unavailable'],
  ['a name that nobody knows at the moment', { code: 'EAI_AGAIN' }, 'unavailable'],
  ['a name that is gone', { code: 'ENOTFOUND' }, 'unavailable'],
  ['a lock that was not to be had', { code: '55P03' }, 'unavailable'],
  ['no memory left', { code: '53200' }, 'unavailable'],
  ['a full disk', { code: '53100' }, 'disk-full'],
  ['a statement after the connection was lost', { message: 'Client was closed and is not queryable' }, 'unavailable'],
  ['a NUL within JSON', { code: '22P05' }, 'bad-request'],
  ['a write that took too long', { code: '57014' }, 'unavailable'],
  ['a fault of ours', { code: '42703' }, 'unexpected'],
  ['a code that every object has', { code: 'constructor' }, 'unexpected'],
] as const)('%s is told as what it is', (_, error, reason) => {
  expect(asFailure(error).reason).toBe(reason)
})

test('a query that took too long is to be asked for less', () => {
  expect(asFailure({ code: '57014' }, true).reason).toBe('too-slow')
})
