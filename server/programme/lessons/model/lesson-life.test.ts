import { describe, expect, test } from 'vitest'
import { itemCategory, lessonPhase, lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { dictionary } from '../../../../contract/core/dictionary.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { lessonAction } from '../../../../contract/programme/lessons/lessons.schema.ts'
import {
  lessonCan,
  lessonMoves,
  lessonTransitions,
  phaseOf,
  refusalOf,
  assertMove,
  type LessonMove,
  type LessonState,
  type Relation,
  type LessonAuthority,
} from './lesson-life.ts'

const times = {
  applyStart: '2026-11-01 08:00:00',
  applyEnd: '2026-11-10 18:00:00',
  startTime: '2026-11-12 14:00:00',
  endTime: '2026-11-12 17:00:00',
}
const lesson = (liStatus: string, more: Partial<LessonState> = {}): LessonState => ({
  ...times,
  liStatus,
  signCount: 0,
  ...more,
})
const moves = Object.keys(lessonMoves) as LessonMove[]
const everyRight = new Set<string>(Object.values(lessonMoves).map(({ permit }) => permit))
const rules = { signOpenMinutes: 30, codeOpenHours: 24 }
const authority = (
  relations: Relation[],
  permits: ReadonlySet<string> = everyRight,
  more: Partial<LessonAuthority['rules']> = {},
): LessonAuthority => ({
  rules: { ...rules, ...more },
  permits,
  relations: new Set(relations.filter((one) => one !== 'scope')),
  covers: () => relations.includes('scope'),
})
const everything = authority(['creator', 'teacher', 'signer', 'initiator', 'scope'])
const during = '2026-11-12 15:00:00'
const after = '2026-11-12 18:00:00'

/**
 * What a person with every right and relation may do, state by state: the table of moves (docs/rules.md R1) told a
 * second time, by hand.
 */
const inState: Record<string, string> = {
  [lessonStatus.draft]: 'edit submit series del exit export',
  [lessonStatus.publishInReview]: 'withdraw exit export',
  [lessonStatus.publishRefused]: 'edit submit series del exit export',
  [lessonStatus.publishPassed]: 'edit publish cancel exit export',
  [lessonStatus.published]: 'edit unpublish cancel abnormal register signManagers sign award resultAudit exit export',
  [lessonStatus.resultInReview]: 'withdraw exit export',
  [lessonStatus.resultRefused]: 'abnormal register sign award resultAudit exit export',
  [lessonStatus.resultPassed]: 'abnormal publicty exit export',
  [lessonStatus.inNotice]: 'unpublicty exit export',
  [lessonStatus.questioned]: 'unpublicty exit export',
  [lessonStatus.completed]: 'archive purge export',
  [lessonStatus.archived]: 'purge export',
  [lessonStatus.unpublished]: 'publish cancel export',
  [lessonStatus.cancelled]: 'purge export',
  [lessonStatus.abnormal]: 'purge export',
}

describe('states', () => {
  test('the cases cover every state there is', () =>
    expect(Object.keys(inState).toSorted()).toEqual(dictionary.lesson_status.map(([value]) => value).toSorted()))
  test.each(Object.entries(inState))('in state %s: %s', (status, acts) =>
    expect(lessonCan(lesson(status), everything, after).toSorted()).toEqual(acts.split(' ').toSorted()),
  )
  test('while a published activity runs, its codes are to be had, and nothing is rated', () => {
    expect(lessonCan(lesson(lessonStatus.published), everything, during)).toEqual([
      'edit',
      'unpublish',
      'cancel',
      'register',
      'signManagers',
      'sign',
      'codes',
      'exit',
      'export',
    ])
  })
  test('whatever the table does not allow is refused, with the action named', () => {
    for (const [status] of dictionary.lesson_status) {
      for (const move of moves) {
        const refusal = refusalOf(move, lesson(status), everything, after)
        if (!refusal) continue
        expect(() => assertMove(move, lesson(status), everything, after)).toThrow(Failure)
        expect(new Failure(refusal, { act: lessonMoves[move].name }).msg).not.toContain('{')
      }
    }
  })
  test('a move leads only to states that exist, and turns start where moves have led', () => {
    const known = new Set<string>(dictionary.lesson_status.map(([value]) => value))
    const reached = new Set<string>([
      '0',
      ...Object.values(lessonMoves).flatMap(({ to }) => to ?? []),
      ...Object.values(lessonTransitions).map(({ to }) => to),
    ])
    for (const { from, to } of Object.values(lessonMoves))
      for (const status of [...from, ...(to ? [to] : [])]) expect(known).toContain(status)
    for (const { from } of Object.values(lessonTransitions)) expect(reached).toContain(from)
  })
})

describe('people', () => {
  const open = {
    edit: lessonStatus.draft,
    submit: lessonStatus.draft,
    series: lessonStatus.draft,
    withdraw: lessonStatus.publishInReview,
    del: lessonStatus.draft,
    publish: lessonStatus.publishPassed,
    unpublish: lessonStatus.published,
    cancel: lessonStatus.published,
    abnormal: lessonStatus.resultRefused,
    archive: lessonStatus.completed,
    purge: lessonStatus.completed,
    admit: lessonStatus.published,
    register: lessonStatus.published,
    signManagers: lessonStatus.published,
    sign: lessonStatus.published,
    codes: lessonStatus.published,
    award: lessonStatus.resultRefused,
    resultAudit: lessonStatus.resultRefused,
    publicty: lessonStatus.resultPassed,
    unpublicty: lessonStatus.inNotice,
    exit: lessonStatus.published,
    export: lessonStatus.published,
  } as const satisfies Record<LessonMove, string>
  const cases: [Relation, string][] = [
    [
      'creator',
      'edit submit series del publish unpublish cancel admit register signManagers sign codes award resultAudit export',
    ],
    [
      'principal',
      'edit submit series publish unpublish cancel admit register signManagers sign codes award resultAudit export',
    ],
    [
      'scope',
      'edit submit series del publish unpublish cancel abnormal archive purge admit register signManagers sign codes award resultAudit publicty unpublicty export',
    ],
    ['teacher', 'sign codes exit export'],
    ['signer', 'sign codes exit'],
    ['initiator', 'withdraw'],
  ]
  test.each(cases)('a %s may %s', (relation, acts) => {
    expect(
      moves.filter((move) => !refusalOf(move, lesson(open[move]), authority([relation]), during)).toSorted(),
    ).toEqual(acts.split(' ').toSorted())
  })
  test('a relation without the right gives nothing', () => {
    for (const move of moves)
      expect(refusalOf(move, lesson(open[move]), authority(['creator', 'scope'], new Set()), during)).toBe(
        'not-permitted',
      )
  })
  test('somebody without any relation may do nothing', () =>
    expect(lessonCan(lesson(lessonStatus.published), authority([]), during)).toEqual([]))
})

describe('reasons', () => {
  const cases: [LessonMove, LessonState, string, string][] = [
    ['publish', lesson(lessonStatus.publishInReview), during, 'publish-not-approved'],
    ['publish', lesson(lessonStatus.draft), during, 'publish-not-approved'],
    ['publish', lesson(lessonStatus.resultPassed), during, 'wrong-state'],
    ['del', lesson(lessonStatus.published), during, 'lesson-published'],
    ['del', lesson(lessonStatus.publishInReview), during, 'wrong-state'],
    ['unpublish', lesson(lessonStatus.published, { signCount: 1 }), during, 'has-sign-ins'],
    ['admit', lesson(lessonStatus.published), after, 'wrong-state'],
    ['award', lesson(lessonStatus.published), during, 'lesson-not-over'],
    ['resultAudit', lesson(lessonStatus.published), during, 'lesson-not-over'],
    ['codes', lesson(lessonStatus.published), '2026-11-11 13:59:59', 'code-package-early'],
    ['codes', lesson(lessonStatus.published), after, 'wrong-state'],
    ['sign', lesson(lessonStatus.published), '2026-11-12 13:29:59', 'sign-not-open'],
    ['abnormal', lesson(lessonStatus.published), during, 'lesson-not-over'],
    ['archive', lesson(lessonStatus.inNotice), after, 'wrong-state'],
    ['purge', lesson(lessonStatus.published), after, 'lesson-published'],
    ['series', lesson(lessonStatus.draft, { itemCategory: itemCategory.seriesItem }), during, 'series-child'],
    ...(['edit', 'unpublish', 'cancel'] as const).map((move): [LessonMove, LessonState, string, string] => [
      move,
      lesson(lessonStatus.published, { changeId: 'x' }),
      during,
      'change-pending',
    ]),
    ...(['resultAudit', 'abnormal'] as const).map((move): [LessonMove, LessonState, string, string] => [
      move,
      lesson(lessonStatus.published, { changeId: 'x' }),
      after,
      'change-pending',
    ]),
  ]
  test.each(cases)('%s of %o at %s: %s', (move, state, now, reason) =>
    expect(refusalOf(move, state, everything, now)).toBe(reason),
  )
  test('the principal hands over before they leave', () =>
    expect(refusalOf('exit', lesson(lessonStatus.published), authority(['principal', 'teacher']), during)).toBe(
      'hand-over-first',
    ))
  test('the school may open sign-in and codes earlier or later', () => {
    const early = authority(['scope'], everyRight, { signOpenMinutes: 60, codeOpenHours: 48 })
    const late = authority(['scope'], everyRight, { signOpenMinutes: 0, codeOpenHours: 1 })
    const at = (who: LessonAuthority, move: LessonMove, now: string) =>
      refusalOf(move, lesson(lessonStatus.published), who, now)
    expect([
      at(early, 'sign', '2026-11-12 13:00:00'),
      at(early, 'sign', '2026-11-12 12:59:59'),
      at(late, 'sign', '2026-11-12 13:59:59'),
      at(late, 'sign', '2026-11-12 14:00:00'),
    ]).toEqual([undefined, 'sign-not-open', 'sign-not-open', undefined])
    expect([
      at(early, 'codes', '2026-11-10 14:00:00'),
      at(late, 'codes', '2026-11-12 12:59:59'),
      at(late, 'codes', '2026-11-12 13:00:00'),
    ]).toEqual([undefined, 'code-package-early', undefined])
  })
  test('codes open exactly a day before', () =>
    expect(refusalOf('codes', lesson(lessonStatus.published), everything, '2026-11-11 14:00:00')).toBeUndefined())
  test('every button of the contract has its move', () =>
    expect(moves.filter((move) => move !== 'admit').toSorted()).toEqual([...lessonAction.options].toSorted()))
})

describe('phases of a published course', () => {
  const cases: [string, string][] = [
    ['2026-10-31 23:59:59', '1'],
    ['2026-11-01 08:00:00', '2'],
    ['2026-11-10 18:00:00', '2'],
    ['2026-11-10 18:00:01', '3'],
    ['2026-11-12 13:59:59', '3'],
    ['2026-11-12 14:00:00', '4'],
    ['2026-11-12 16:59:59', '4'],
    ['2026-11-12 17:00:00', '5'],
    ['2027-01-01 00:00:00', '5'],
  ]
  test.each(cases)('at %s: %s', (now, phase) => expect(phaseOf(lesson(lessonStatus.published), now)).toBe(phase))
  test('without a sign-up period nothing is open before the start', () =>
    expect(phaseOf(lesson(lessonStatus.published, { applyStart: null, applyEnd: null }), '2026-11-02 00:00:00')).toBe(
      lessonPhase.registrationClosed,
    ))
  test('no other state has a phase', () =>
    expect(
      dictionary.lesson_status.map(([value]) => phaseOf(lesson(value), during)).filter((phase) => phase !== null),
    ).toEqual([lessonPhase.underway]))
})
