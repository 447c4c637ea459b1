// @vitest-environment jsdom
import { createHash } from 'node:crypto'
import dayjs from 'dayjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { call } from '../../../contract/core/call.ts'
import { send } from './api.ts'
import { rangeEdges, rangeShortcuts } from './date-range.ts'
import { setTerm } from './term.ts'
import { isEmpty } from './empty.ts'
import { passwordDigest, sha256Hex } from './sha256.ts'
import { loginAddress, safeReturn } from './site.ts'
import { localStore, sessionStore } from './storage.ts'
import { ApiError, fileName, readAnswer, waitBefore, wireRequest } from './wire.ts'

describe('emptiness', () => {
  it.each([[null], [undefined], [''], ['null'], ['undefined'], [[]], [{}]])('%j is empty', (value) =>
    expect(isEmpty(value)).toBe(true),
  )
  it.each([[0], [1], [false], [true], ['0'], [' '], [[0]], [{ a: null }], [new Date(0)], [Number.NaN]])(
    '%j is not empty',
    (value) => expect(isEmpty(value)).toBe(false),
  )
})

describe('date range', () => {
  it('sends both edges of the day or nothing', () => {
    expect(rangeEdges(['2026-03-01', '2026-03-02'])).toEqual(['2026-03-01 00:00:00', '2026-03-02 23:59:59'])
    expect(rangeEdges(['2026-03-01', undefined])).toBeUndefined()
    expect(rangeEdges([undefined, '2026-03-01'])).toBeUndefined()
  })
  it('the term is the school’s own, as told at sign-in', () => {
    const term = () =>
      rangeShortcuts(dayjs('2026-09-20'))
        .find(({ label }) => label === '本学期')
        ?.value.map((edge) => edge.format('YYYY-MM-DD'))
    expect(term()).toBeUndefined()
    setTerm({ tmStart: '2026-09-07', tmEnd: '2027-01-24' })
    expect(term()).toEqual(['2026-09-07', '2027-01-24'])
  })
  it('weeks begin on Monday', () => {
    const week = (today: string) =>
      rangeShortcuts(dayjs(today))
        .find(({ label }) => label === '本周')!
        .value.map((edge) => edge.format('MM-DD'))
    expect(week('2026-11-22')).toEqual(['11-16', '11-22'])
    expect(week('2026-11-16')).toEqual(['11-16', '11-22'])
  })
})

describe('storage', () => {
  beforeEach(() => (localStorage.clear(), sessionStorage.clear()))
  it.each([
    ['text', 'string'],
    [3, 'number'],
    [false, 'boolean'],
    [{ a: 1 }, 'object'],
    [[1], 'object'],
  ])('wraps %j', (content, dataType) => {
    localStore.set('key', content)
    const entry = JSON.parse(localStorage.getItem('key')!) as Record<string, unknown>
    expect(entry).toMatchObject({ dataType, content, type: 'local' })
    expect(typeof entry['datetime']).toBe('number')
    expect(localStore.get('key')).toEqual(content)
  })
  it('keeps what a full or blocked storage does not take while the page is open, and nothing older instead', () => {
    localStore.set('key', 'old')
    const area = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    localStore.set('key', 'new')
    area.mockRestore()
    expect([localStore.get('key'), localStorage.getItem('key')]).toEqual(['new', null])
    expect(localStore.keys()).toEqual(['key'])
    localStore.remove('key')
    expect(localStore.get('key')).toBeUndefined()
    localStore.set('key', 'taken')
    expect(localStorage.getItem('key')).toContain('taken')
    const blocked = vi.spyOn(globalThis, 'sessionStorage', 'get').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError')
    })
    sessionStore.set('key', 1)
    expect([sessionStore.get('key'), sessionStore.keys()]).toEqual([1, ['key']])
    sessionStore.clear()
    expect(sessionStore.get('key')).toBeUndefined()
    blocked.mockRestore()
  })
  it('reads foreign or broken entries as absent', () => {
    sessionStorage.setItem('a', '{broken')
    sessionStorage.setItem('b', '"plain"')
    expect([sessionStore.get('a'), sessionStore.get('b'), sessionStore.get('c')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('a service that asks to come back later', () => {
  it.each<[string, Parameters<typeof waitBefore>[0], number | undefined]>([
    ['a limit, for as long as it says', { status: 429, retryAfter: '3', writes: false, waited: 0 }, 3000],
    ['a limit on a write, which has done nothing yet', { status: 429, retryAfter: '1', writes: true, waited: 0 }, 1000],
    ['too busy, a reading call', { status: 503, retryAfter: '1', writes: false, waited: 0 }, 1000],
    ['too busy, a write that may have begun', { status: 503, retryAfter: '1', writes: true, waited: 0 }, undefined],
    ['a lock of minutes', { status: 429, retryAfter: '600', writes: true, waited: 0 }, undefined],
    ['no word of when', { status: 429, retryAfter: null, writes: false, waited: 0 }, undefined],
    [
      'a date instead of seconds',
      { status: 503, retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT', writes: false, waited: 0 },
      undefined,
    ],
    ['for half a minute already', { status: 429, retryAfter: '1', writes: false, waited: 29_500 }, undefined],
    ['any other refusal', { status: 500, retryAfter: '1', writes: false, waited: 0 }, undefined],
  ])('%s', (_, answer, wait) => expect(waitBefore(answer, 0)).toBe(wait))
  it('what was refused together does not come back together', () =>
    expect(waitBefore({ status: 429, retryAfter: '4', writes: false, waited: 0 }, 1)).toBe(5000))
})

describe('password digest', () => {
  const long = '第二课堂'.repeat(40)
  it.each([[''], ['abc'], ['Demo-2026'], ['a'.repeat(55)], ['a'.repeat(56)], ['a'.repeat(64)], [long], ['半\ud800个']])(
    'equals the standard for %s',
    (text) => expect(sha256Hex(text)).toBe(createHash('sha256').update(text).digest('hex')),
  )
  it('is the same for composed and decomposed letters', () =>
    expect(passwordDigest('e\u0301')).toBe(passwordDigest('é')))
})

describe('addresses', () => {
  it.each([['/home'], ['/courseManagement/detailCurriculumList?liId=1#top']])('%s may be returned to', (address) =>
    expect(safeReturn(address)).toBe(address),
  )
  it.each([
    ['//evil.example'],
    ['https://evil.example'],
    ['/\\evil.example'],
    ['javascript:alert(1)'],
    ['/'],
    [''],
    [null],
    ['/a\nb'],
    ['/a/..//evil.example'],
    ['/a/%2e%2e//evil.example'],
    ['/a/../'],
  ])('%j may not', (address) => expect(safeReturn(address)).toBeUndefined())
  it('gives the configured sign-in address of a host and its own root otherwise', () => {
    const allowed = {
      'a.example': 'https://sso.example/x',
      'b.example': 'javascript:alert(1)',
      'c.example': '//evil.example',
      '10.1.2.3': 'http://10.1.2.4/x',
    }
    expect(loginAddress('a.example', allowed)).toBe('https://sso.example/x')
    expect(loginAddress('10.1.2.3', allowed)).toBe('http://10.1.2.4/x')
    expect(['b.example', 'c.example', 'd.example', '__proto__'].map((host) => loginAddress(host, allowed))).toEqual([
      '/',
      '/',
      '/',
      '/',
    ])
  })
})

describe('requests', () => {
  const anything = { summary: '', permit: 'signed-in', input: z.object({}), output: z.object({}) } as const
  it('fills segments, renames the page field, drops empties from a query and adds the seconds', () => {
    const list = call('GET', '/a/{id}/list', { ...anything, pageField: 'currentPageNum' })
    expect(
      wireRequest(list, { id: '7/8', current: 2, name: '', ids: ['a', 'b'], flag: false }, 1_700_000_000_999),
    ).toEqual({
      url: '/api/schoolbase/a/7%2F8/list?ids=a%2Cb&flag=false&currentPageNum=2&_t=1700000000',
      method: 'GET',
      body: undefined,
    })
  })
  it('puts the fields of a write into the body', () => {
    const save = call('POST', '/save', { ...anything, base: '/api/platformbase' })
    expect(wireRequest(save, { name: '', list: [], gone: undefined }, 0)).toEqual({
      url: '/api/platformbase/save?_t=0',
      method: 'POST',
      body: { name: '', list: [] },
    })
  })
})

describe('a write that got no answer', () => {
  const change = call('POST', '/switch', {
    summary: '',
    permit: 'signed-in',
    input: z.object({ status: z.string() }),
    output: z.object({}),
  })
  /** The keys under which the service was asked. */
  let keys: (string | null)[]
  /** What the network carries back: nothing, half of an answer, or one that grants, refuses or is a gateway's. */
  type Back = 'nothing' | 'half' | 'done' | 'refused' | 'running' | 'gateway'
  let back: Back
  const half = () =>
    new ReadableStream({
      start: (body) => (
        body.enqueue(new TextEncoder().encode('{"code":200')),
        body.error(new TypeError('network error'))
      ),
    })
  const answers: Record<Exclude<Back, 'nothing'>, () => Response> = {
    half: () => new Response(half()),
    done: () => new Response(JSON.stringify({ code: 200, msg: '', data: {} })),
    refused: () => new Response(JSON.stringify({ code: 300, msg: '名称已存在', reason: 'name-taken' })),
    running: () => new Response(JSON.stringify({ code: 300, msg: '正在处理', reason: 'request-running' })),
    gateway: () => new Response('<html>', { status: 502 }),
  }
  beforeEach(async () => {
    keys = []
    vi.stubGlobal('fetch', (_: string, { headers }: { headers: Record<string, string> }) => {
      keys.push(headers['idempotency-key'] ?? null)
      return back === 'nothing' ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(answers[back]())
    })
    // whatever a test before left open
    await write('forget', 'done')
    keys = []
  })
  afterEach(() => vi.unstubAllGlobals())
  const write = (status: string, then: Back, options = {}) => {
    back = then
    return send(change, { status }, options).catch(() => undefined)
  }

  it('is the same request when it is tried again, also after what the console writes by itself', async () => {
    await write('off', 'nothing')
    await write('off', 'nothing')
    await write('read', 'done', { quiet: true, blocks: false })
    await write('off', 'done')
    const [first, second, own, third] = keys
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(own).not.toBe(first)
    expect([second, third]).toEqual([first, first])
  })
  it('is a new request after the person has done something else', async () => {
    await write('off', 'nothing')
    await write('on', 'done')
    await write('off', 'done')
    expect(new Set(keys).size).toBe(3)
  })
  it('is still the same request where what was done meanwhile got no answer either', async () => {
    await write('off', 'nothing')
    await write('on', 'nothing')
    await write('off', 'done')
    expect(keys[2]).toBe(keys[0])
  })
  it('is still the same request where what was done meanwhile was refused', async () => {
    await write('off', 'nothing')
    await write('on', 'refused')
    await write('off', 'done')
    expect(keys[2]).toBe(keys[0])
  })
  it.each<[Back, boolean]>([
    ['half', true],
    ['gateway', true],
    ['running', true],
    ['refused', false],
    ['done', false],
  ])('answered %s, the same again is the same request: %s', async (first, isSame) => {
    await write('off', first)
    await write('off', 'done')
    expect(keys[1] === keys[0]).toBe(isSame)
  })
})

describe('answers', () => {
  const failure = (status: number, answer: unknown): ApiError => {
    try {
      readAnswer(status, answer)
    } catch (error) {
      return error as ApiError
    }
    throw new Error('no failure')
  }
  it('gives the data of a success', () => expect(readAnswer(200, { code: 200, msg: '', data: [1] })).toEqual([1]))
  it.each([
    [401, undefined],
    [200, { code: 401 }],
    [200, { code: 40101 }],
    [401, { code: 40101, msg: 'x' }],
  ])('%d %j means the credential has run out', (status, answer) =>
    expect(failure(status, answer)).toMatchObject({ kind: 'expired', message: '登录凭证已过期，请重新登录' }),
  )
  it('carries the message and faults of a refusal', () => {
    const faults = [{ field: 'a', msg: 'b' }]
    expect(failure(200, { code: 300, msg: '名称已存在', errors: faults })).toMatchObject({
      kind: 'refused',
      message: '名称已存在',
      faults,
    })
    expect(failure(400, { error: 'invalid_grant', status: 300, msg: '账号或密码错误' })).toMatchObject({
      kind: 'refused',
      message: '账号或密码错误',
    })
  })
  it.each([
    [403, { code: 403, msg: '无操作权限' }, '无操作权限'],
    [502, undefined, '服务暂时不可用，请稍后重试'],
    [200, undefined, '系统出现错误，操作未完成，请稍后重试'],
  ])('%d is told from the body or by its status', (status, answer, message) =>
    expect(failure(status, answer)).toMatchObject({ kind: 'failed', message }),
  )
})

it('takes the file name from the header', () => {
  expect(fileName(`attachment; filename="file"; filename*=UTF-8''${encodeURIComponent('学生 名单.xlsx')}`, 'x')).toBe(
    '学生 名单.xlsx',
  )
  expect(fileName('attachment; filename="a.xlsx"', 'x')).toBe('a.xlsx')
  expect(fileName(null, '导出')).toBe('导出')
  expect(fileName("attachment; filename*=UTF-8''%E0%A4%A", '导出')).toBe('导出')
})
