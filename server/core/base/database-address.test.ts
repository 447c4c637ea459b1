import { expect, test } from 'vitest'
import { readDatabaseAddress } from './database-address.ts'

test.each([
  ['postgres://u:p@h/d', ['postgres://u:p@h/d'], false],
  ['postgres://u@/d?host=%2Frun%2Fpg&port=1', ['postgres://u@/d?host=%2Frun%2Fpg&port=1'], false],
  [
    'postgres://u:p%2C@a,b:5433/d?sslmode=require',
    ['postgres://u:p%2C@a/d?sslmode=require', 'postgres://u:p%2C@b:5433/d?sslmode=require'],
    true,
  ],
  [
    'postgresql://a:1,[::1]:2/d?target_session_attrs=read-write&x=y',
    ['postgresql://a:1/d?x=y', 'postgresql://[::1]:2/d?x=y'],
    true,
  ],
  ['postgres://a/d?x=y&target_session_attrs=primary', ['postgres://a/d?x=y'], true],
  ['postgres://a/d?target_session_attrs=primary', ['postgres://a/d'], true],
])('%s', (address, each, isSearched) => {
  expect(readDatabaseAddress(address)).toEqual({ each, isSearched, fault: undefined })
})

test.each([
  ['postgres://a,b/d?target_session_attrs=standby', 'target_session_attrs 须为 read-write 或 primary'],
  ['postgres://a,/d', '几个主机须写作 主机:端口,主机:端口'],
  ['postgres://a,b:x/d', '几个主机须写作 主机:端口,主机:端口'],
])('%s is refused in words', (address, fault) => {
  expect(readDatabaseAddress(address).fault).toContain(fault)
})
