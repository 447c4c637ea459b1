import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addSeconds } from '../../../core/base/clock.ts'
import { movingCode, movingSealed, readMoving, signCode } from '../signing/codes.ts'
import { digestOf, drawOrder, newSeed, ticketOf } from '../model/draw.ts'
import { groupsOf, seat, seatGroups, seatsLeft } from '../model/seats.ts'
import {
  comes,
  hasLeft,
  hasLeftEarly,
  leaves,
  metresBetween,
  statusAfter,
  type SignRules,
} from '../model/sign-rules.ts'

describe('places', () => {
  const people = (...colleges: (string | null)[]) => colleges.map((suiCollegeId, at) => ({ at, suiCollegeId }))
  const cases: [string, (string | null)[], number, [string, number][], number[]][] = [
    ['as many as there are', ['a', 'b', 'a'], 2, [], [0, 1]],
    ['none left', ['a'], 0, [], []],
    ['a full college is passed over, the next one sits', ['a', 'a', 'b', 'a', 'c'], 4, [['a', 1]], [0, 2, 4]],
    ['the whole ends before the college does', ['a', 'b', 'a'], 2, [['a', 5]], [0, 1]],
    ['a college without places', ['a', null, 'b'], 3, [['a', 0]], [1, 2]],
  ]
  test.each(cases)('%s', (_, colleges, free, own, seated) => {
    const { seated: got, left } = seat(people(...colleges), { free, colleges: new Map(own) })
    expect(got.map(({ at }) => at)).toEqual(seated)
    expect(left).toHaveLength(colleges.length - seated.length)
  })

  // `a1 a1 b`: two of team 1 from college a, and somebody of college b alone
  const teams: [string, string, number, boolean, [string, number][], number[]][] = [
    ['a team gets all it needs', 'a1 a1 a2 a2', 4, false, [], [0, 1, 2, 3]],
    ['a team that does not fit is passed over, the next one sits', 'a1 a1 a1 a2 a2', 2, false, [], [3, 4]],
    ['a team is one wherever its members stand', 'a1 b a1', 2, false, [], [0, 2]],
    ['places for teams: one each', 'a1 a1 a1 a2 a2 a3', 2, true, [], [0, 1, 2, 3, 4]],
    ['a college without enough for the team keeps it out', 'a1 a1 b2 b2', 4, false, [['a', 1]], [2, 3]],
    ['a college counts people where places are for teams', 'a1 a1 a2', 3, true, [['a', 2]], [0, 1]],
  ]
  test.each(teams)('%s', (_, order, free, byTeam, own, seated) => {
    const entered = order.split(' ').map((word, at) => ({ at, suiCollegeId: word[0]!, teamId: word[1] ?? null }))
    const got = seatGroups(groupsOf(entered), { free, byTeam, colleges: new Map(own) })
    expect(got.seated.map(({ at }) => at)).toEqual(seated)
    expect(got.left).toHaveLength(entered.length - seated.length)
  })

  test('what is left never falls below nothing', () => {
    expect(
      seatsLeft(
        10,
        [
          { scId: 'a', quota: 3 },
          { scId: 'b', quota: 2 },
        ],
        12,
        new Map([
          ['a', 5],
          ['b', 1],
        ]),
      ),
    ).toEqual({
      free: 0,
      colleges: new Map([
        ['a', 0],
        ['b', 1],
      ]),
    })
  })

  test('whatever comes, nobody sits beyond the whole or their college, and nobody is left who could have sat at their turn', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c', null), { maxLength: 30 }),
        fc.nat(20),
        fc.nat(6),
        fc.nat(6),
        (colleges, free, a, b) => {
          const { seated, left } = seat(people(...colleges), {
            free,
            colleges: new Map([
              ['a', a],
              ['b', b],
            ]),
          })
          const of = (scId: string) => seated.filter(({ suiCollegeId }) => suiCollegeId === scId).length
          expect(seated.length).toBeLessThanOrEqual(free)
          expect(of('a')).toBeLessThanOrEqual(a)
          expect(of('b')).toBeLessThanOrEqual(b)
          if (seated.length < free)
            for (const { suiCollegeId } of left)
              expect(suiCollegeId === 'a' ? of('a') === a : suiCollegeId === 'b' && of('b') === b).toBe(true)
        },
      ),
    )
  })
})

describe('the draw', () => {
  const seed = '00'.repeat(32)
  const entrants = Array.from({ length: 20 }, (_, at) => ({
    laId: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  }))

  test('is what anybody gets with a digest tool', () => {
    const sha = (text: string) => createHash('sha256').update(text).digest('hex')
    expect(digestOf(seed)).toBe('60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55')
    expect(ticketOf(seed, entrants[0]!.laId)).toBe(sha(`${seed}:${entrants[0]!.laId}`))
    const byHand = entrants
      .map(({ laId }) => [sha(`${seed}:${laId}`), laId])
      .toSorted(([a], [b]) => (a! < b! ? -1 : 1))
      .map(([, laId]) => laId)
    expect(drawOrder(seed, entrants).map(({ laId }) => laId)).toEqual(byHand)
  })

  test('does not depend on the order in which people are named, nor on who else takes part', () => {
    const order = drawOrder(seed, entrants).map(({ laId }) => laId)
    expect(drawOrder(seed, entrants.toReversed()).map(({ laId }) => laId)).toEqual(order)
    const without = entrants.filter((_, at) => at % 3 !== 0)
    expect(drawOrder(seed, without).map(({ laId }) => laId)).toEqual(
      order.filter((laId) => without.some((one) => one.laId === laId)),
    )
  })

  test('gives everybody the same chance, and every seed another order', () => {
    const firsts = new Map<string, number>()
    for (let at = 0; at < 2000; at++) {
      const first = drawOrder(createHash('sha256').update(String(at)).digest('hex'), entrants)[0]!.laId
      firsts.set(first, (firsts.get(first) ?? 0) + 1)
    }
    // 100 each on average; five standard deviations are about 49
    for (const { laId } of entrants) expect(Math.abs((firsts.get(laId) ?? 0) - 100)).toBeLessThan(50)
    expect(newSeed()).not.toBe(newSeed())
  })
})

describe('signing in and out', () => {
  const rules: SignRules = {
    signOpenMinutes: 30,
    signCloseMinutes: 30,
    signOutOpenMinutes: 10,
    signOutCloseMinutes: 60,
  }
  const session = { startTime: '2026-12-01 14:00:00', endTime: '2026-12-01 16:00:00' }
  const absent = { signInTime: null, signOutTime: null }
  const here = { signInTime: '2026-12-01 13:50:00', signOutTime: null }
  test.each([
    ['13:29:59', absent, 'sign-early'],
    ['13:30:00', absent, 'on time'],
    ['14:15:00', absent, 'on time'],
    ['14:15:01', absent, 'late'],
    ['14:30:00', absent, 'late'],
    ['14:30:01', absent, 'sign-closed'],
    ['13:55:00', here, 'signed-in-already'],
    ['15:00:00', here, 'signed-in-already'],
  ])('who comes at %s', (time, known, outcome) => {
    const scan = comes(session, known, `2026-12-01 ${time}`, rules, 15)
    expect('refusal' in scan ? scan.refusal : scan.late ? 'late' : 'on time').toBe(outcome)
  })
  test.each([
    ['15:49:59', here, 'sign-out-early'],
    ['15:50:00', here, 'left'],
    ['17:00:00', here, 'left'],
    ['17:00:01', here, 'sign-out-closed'],
    ['16:00:00', absent, 'sign-in-first'],
    ['16:00:00', { ...here, signOutTime: '2026-12-01 15:55:00' }, 'signed-out-already'],
  ])('who leaves at %s', (time, known, outcome) => {
    const scan = leaves(session, known, `2026-12-01 ${time}`, rules)
    expect('refusal' in scan ? scan.refusal : 'left').toBe(outcome)
  })
  test.each([
    ['0', 'in', false, true, '1'],
    ['0', 'in', true, true, '2'],
    ['5', 'in', false, true, '1'],
    ['1', 'in', true, false, '2'],
    ['2', 'in', false, false, '2'],
    ['6', 'in', true, true, '6'],
    ['7', 'in', false, true, '7'],
    ['1', 'out', false, false, '1'],
    ['1', 'out', false, true, '3'],
    ['2', 'out', false, true, '2'],
    ['7', 'out', false, true, '7'],
  ] as const)('%s, %s, late %s, last session %s: %s', (before, direction, late, last, after) =>
    expect(statusAfter(before, { direction, late, last })).toBe(after),
  )
  test.each([
    ['0', '1', null, true],
    ['1', '1', null, false],
    ['1', '2', '2026-12-01 16:00:00', true],
    ['1', '3', null, true],
    ['1', '6', null, true],
    ['1', '7', null, true],
    ['1', '1', '2026-12-01 16:00:00', true],
    ['1', '4', '2026-12-01 16:00:00', false],
    ['0', '4', null, false],
  ] as const)('sign-out %s, status %s, left at %s: %s', (signOutOn, laSignStatus, signOutTime, left) =>
    expect(hasLeft(signOutOn, { laSignStatus, signOutTime })).toBe(left),
  )
  test.each([
    ['0', '1', null, false],
    ['0', '4', null, true],
    ['1', '4', '2026-12-01 16:00:00', true],
    ['1', '1', null, true],
    ['1', '1', '2026-12-01 15:49:59', true],
    ['1', '2', '2026-12-01 15:50:00', false],
    ['1', '3', '2026-12-01 15:00:00', false],
    ['1', '7', null, false],
  ] as const)('sign-out %s, status %s, left at %s: early %s', (signOutOn, laSignStatus, signOutTime, early) =>
    expect(
      hasLeftEarly(
        { signOutOn, endTime: '2026-12-01 16:00:00' },
        { laSignStatus, signOutTime },
        { signOutOpenMinutes: 10 },
      ),
    ).toBe(early),
  )
  test('distances are those of the map', () => {
    const hefei = { lng: 117.2272, lat: 31.8206 }
    expect(metresBetween(hefei, hefei)).toBe(0)
    expect(metresBetween(hefei, { lng: hefei.lng, lat: hefei.lat + 0.001 })).toBe(111)
    expect(metresBetween(hefei, { lng: 116.4074, lat: 39.9042 })).toBeGreaterThan(890_000)
  })
})

describe('changing codes', () => {
  const secret = randomBytes(32)
  const code = {
    schoolId: 'demo',
    liId: '00000000-0000-4000-8000-000000000001',
    lseNo: 2,
    direction: 'in',
    step: 1000,
  } as const
  const text = movingCode(secret, code)

  test('say what they are, and are sealed with the secret of their session', () => {
    expect(readMoving(text)).toEqual(code)
    expect(movingSealed(text, secret)).toBe(true)
    expect(movingSealed(text, randomBytes(32))).toBe(false)
  })

  test('nothing else holds: other content, other kinds, cut or empty texts', () => {
    const [header, body, seal] = text.split('.') as [string, string, string]
    const other = Buffer.from(JSON.stringify(['demo', code.liId, 1, 'in', 1000])).toString('base64url')
    const still = signCode(secret, { ...code, expires: addSeconds('2026-12-01 14:00:00', 60) })
    for (const bad of [
      '',
      'EK2',
      `${header}.${body}`,
      `${header}.${other}.${seal}`,
      `${header}.${body}.${seal.slice(1)}`,
      `EK1.${body}.${seal}`,
      still,
    ])
      expect(movingSealed(bad, secret)).toBe(false)
    expect(readMoving('EK2.%%%.x')).toBe(null)
  })
})
