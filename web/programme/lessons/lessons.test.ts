import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import dayjs from 'dayjs'
import { describe, expect, test } from 'vitest'
import { lessonPhase, lessonStatus } from '../../../contract/core/codes/programme.ts'
import { formOfLesson } from '../../../contract/programme/lessons/form-of-lesson.ts'
import { lessonFieldNames } from '../../../contract/programme/lessons/lesson-fields.ts'
import type { LessonDetail, LessonRow } from '../../../contract/programme/lessons/lessons.schema.ts'
import {
  blankLesson,
  copiedValues,
  durationOf,
  hoursBetween,
  isBlank,
  lessonInput,
  noticeNames,
  signNames,
} from './lesson-form.ts'
import { figuresOf, periodText, shortPeriod } from '../../shared/lessons/lesson-status.tsx'
import { followingPeriods } from './series-plan.ts'
import { stageOf } from './stage-bar.tsx'

const row = (change: Partial<LessonRow>) =>
  ({
    liStatus: lessonStatus.published,
    liPhase: null,
    pendingCount: 0,
    applyCount: 13,
    passCount: 10,
    signCount: 7,
    resultCount: 4,
    quota: 60,
    applyStart: null,
    liPublictyEdate: null,
    ...change,
  }) as LessonRow
const today = dayjs('2026-11-21T10:00:00')

describe('figures of a course', () => {
  test.each([
    [{ liPhase: lessonPhase.beforeRegistration, applyStart: '2026-11-24 07:56:00' }, ['11-24 07:56 起']],
    [{ liPhase: lessonPhase.registrationOpen }, ['报名 13/60']],
    [{ liPhase: lessonPhase.registrationClosed, pendingCount: 5 }, ['待审核 5', '报名 13/60']],
    [{ liPhase: lessonPhase.underway }, ['签到 7/10']],
    [{ liPhase: lessonPhase.awaitingResult }, ['待评定 6']],
    [{ liPhase: lessonPhase.awaitingResult, resultCount: 10 }, ['已评定 10']],
    [{ liStatus: lessonStatus.resultRefused }, ['待评定 6']],
    [{ liStatus: lessonStatus.inNotice, liPublictyEdate: '2026-11-24 23:59:59' }, ['公示剩 3 天']],
    [{ liStatus: lessonStatus.inNotice, liPublictyEdate: '2026-11-21 23:59:59' }, ['公示今天截止']],
    [{ liStatus: lessonStatus.inNotice, liPublictyEdate: '2026-11-20 23:59:59' }, ['公示已到期']],
    [{ liStatus: lessonStatus.completed }, ['参与 10']],
    [{ liStatus: lessonStatus.draft }, []],
    [{ liPhase: lessonPhase.registrationClosed, pendingCount: 5, isChanging: true }, ['变更审批中', '待审核 5']],
  ])('%o', (change, texts) => expect(figuresOf(row(change), today).map(({ text }) => text)).toEqual(texts))
})

test.each([
  ['2026-12-08 14:00:00', '2026-12-08 17:00:00', '2026-12-08 14:00 至 17:00', '12-08 14:00–17:00'],
  ['2026-12-08 14:00:00', '2026-12-09 17:00:00', '2026-12-08 14:00 至 2026-12-09 17:00', '12-08 至 12-09'],
  ['2025-12-31 20:00:00', '2026-01-01 01:00:00', '2025-12-31 20:00 至 2026-01-01 01:00', '25-12-31 至 26-01-01'],
])('the period from %s to %s', (start, end, long, short) => {
  expect(periodText(start, end)).toBe(long.replace(/(?<=\d) (?=\d)/g, '\u00a0'))
  expect(shortPeriod(start, end, today)).toBe(short)
})

test.each([
  ['0', null, 0, 'now'],
  ['10', null, 1, 'now'],
  ['11', null, 1, 'refused'],
  ['20', null, 1, 'now'],
  ['30', '2', 2, 'now'],
  ['30', '4', 3, 'now'],
  ['30', '5', 3, 'now'],
  ['40', null, 4, 'now'],
  ['41', null, 4, 'refused'],
  ['50', null, 5, 'now'],
  ['61', null, 5, 'now'],
  ['70', null, 6, 'done'],
  ['91', null, 2, 'ended'],
] as const)('state %s in phase %s stands at stage %i', (liStatus, liPhase, at, tone) =>
  expect(stageOf({ liStatus, liPhase })).toEqual({ at, tone }),
)

describe('how long an activity lasts', () => {
  const day = { startTime: '2026-12-08 14:00:00', endTime: '2026-12-08 17:30:00' }
  test('from start to end on one day', () => expect(durationOf(day)).toBe(3.5))
  test('its sessions together', () =>
    expect(
      durationOf({
        ...day,
        endTime: '2026-12-10 17:00:00',
        sessions: [day, { startTime: '2026-12-10 14:00:00', endTime: '2026-12-10 16:00:00' }, {}],
      }),
    ).toBe(5.5))
  test('unknown over several days without sessions', () =>
    expect(durationOf({ ...day, endTime: '2026-12-10 17:00:00' })).toBeUndefined())
  test('nothing in the wrong order', () => expect(hoursBetween(day.endTime, day.startTime)).toBe(0))
})

describe('the form of a course', () => {
  const lesson = {
    liId: 'a',
    version: 3,
    liName: '课',
    startTime: '2026-12-08 14:00:00',
    endTime: '2026-12-08 17:00:00',
    placeText: '302',
    liNo: 'EK1',
    can: ['edit'],
    liExt: {},
    liPlan: { id: 'p', name: '策划' },
    liAttachments: [{ id: 'f', name: '附件' }],
    principal: { suId: 'u', suiName: '王', suiNumber: '1' },
    teachers: [{ suId: 't', suiName: '李', suiNumber: '2' }],
    signers: [],
    signUpCheckers: [],
    signInCheckers: [],
    rangeColleges: [{ id: 'c', name: '学院' }],
    rangeMajors: [{ id: 'm', name: '专业' }],
    rangeClasses: [],
    rangeCircles: [],
    organiserIds: [{ id: 'd', name: '部门' }],
    quotaByCollege: [{ scId: 'c', scName: '学院', quota: 3 }],
    reservedIds: [{ suId: 's', suiName: '赵', suiNumber: '3' }],
    sessions: [{ lseNo: 1, startTime: '2026-12-08 14:00:00', endTime: '2026-12-08 17:00:00', placeText: '302' }],
  } as unknown as LessonDetail
  test('ids stand for what was read with names, and the only session is the activity itself', () =>
    expect(formOfLesson(lesson)).toMatchObject({
      liPlan: 'p',
      liAttachments: ['f'],
      teacherIds: ['t'],
      signerIds: [],
      rangeColleges: ['c'],
      rangeMajors: ['m'],
      organiserIds: ['d'],
      quotaByCollege: [{ scId: 'c', quota: 3 }],
      reservedIds: ['s'],
      sessions: [],
    }))
  test('a session elsewhere is kept', () =>
    expect(
      formOfLesson({ ...lesson, sessions: [{ ...lesson.sessions[0]!, placeText: '体育馆' }] })['sessions'],
    ).toEqual([{ startTime: lesson.startTime, endTime: lesson.endTime, placeText: '体育馆' }]))
  test.each([
    ['讲座', '讲座（副本）'],
    ['讲座（第 2 期）', '讲座（第 3 期）'],
    ['讲座（第12期）', '讲座（第 13 期）'],
  ])('a copy of %s is called %s and has no time yet', (liName, copy) => {
    const values = copiedValues({ ...lesson, liName, liExt: { baseName: '基地', old: 'x' } })
    expect(values).toMatchObject({
      liName: copy,
      liPlan: 'p',
      teacherIds: ['t'],
      sessions: [],
      liExt: { baseName: '基地' },
    })
    for (const field of ['liId', 'version', 'startTime', 'endTime', 'applyStart', 'applyEnd'])
      expect(values).not.toHaveProperty(field)
    expect(values['liExt']).not.toHaveProperty('old')
  })
  test('only fields of the call are sent', () => {
    const sent = lessonInput({ ...formOfLesson(lesson), submit: '1' })
    expect(sent).toMatchObject({ liId: 'a', version: 3, submit: '1' })
    expect(sent).not.toHaveProperty('can')
    expect(sent).not.toHaveProperty('liNo')
  })
})

describe('a section of the form is shut', () => {
  const usual = { lateMinutes: 15, publictyDays: 3 }
  // a course as it was read: the service has filled in what nobody said
  const read = { ...blankLesson, ...usual, signLng: null, signLat: null, signRadius: null }
  test.each([
    ['while nothing is said in it', read, usual, true, true],
    [
      'while the rules of the school are not known',
      read,
      { lateMinutes: undefined, publictyDays: undefined },
      true,
      true,
    ],
    ['but for another period of notice', { ...read, publictyDays: 5 }, usual, true, false],
    ['but for another limit of lateness', { ...read, lateMinutes: 5 }, usual, false, true],
    ['but for a place to sign in at', { ...read, signLng: 117, signLat: 31 }, usual, false, true],
    ['but for a latitude alone', { ...read, signLat: 31 }, usual, false, true],
    ['but for a radius alone', { ...read, signRadius: 80 }, usual, false, true],
    ['in a new course', blankLesson, usual, true, true],
  ])('%s', (_, values, fallback, isSignShut, isNoticeShut) =>
    expect([isBlank(values, signNames, fallback), isBlank(values, noticeNames, fallback)]).toEqual([
      isSignShut,
      isNoticeShut,
    ]),
  )
})

test('every field of a course has a control in its form', () => {
  const sources = readdirSync(import.meta.dirname)
    .filter((file) => /^form-\w+\.tsx$/.test(file))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('\n')
  // the form of industry courses has a section of its own, and sessions rows of their own
  const fields = lessonFieldNames.filter((field) => field !== 'liExt')
  expect(fields.filter((field) => !new RegExp(`['"]${field}['"]`).test(sources))).toEqual([])
})

describe('the periods of a series', () => {
  const first = { startTime: '2027-01-31 19:00:00', endTime: '2027-01-31 21:30:00' }
  test.each([
    ['day', 2, ['2027-02-01 19:00:00', '2027-02-02 19:00:00']],
    ['week', 1, ['2027-02-07 19:00:00']],
    ['fortnight', 2, ['2027-02-14 19:00:00', '2027-02-28 19:00:00']],
    ['month', 2, ['2027-02-28 19:00:00', '2027-03-31 19:00:00']],
    ['week', 0, []],
  ] as const)('every %s, %i more', (rhythm, count, starts) =>
    expect(followingPeriods(first, count, rhythm).map(({ startTime }) => startTime)).toEqual(starts),
  )
  test('last as long as the first, and are thirty at most', () => {
    expect(followingPeriods(first, 1, 'week')[0]!.endTime).toBe('2027-02-07 21:30:00')
    expect(followingPeriods(first, 100, 'day')).toHaveLength(30)
  })
})
