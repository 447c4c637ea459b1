import { weekdayLabels, timetableSheet } from '../../../contract/school/organisation/timetable.sheets.ts'
import type { BulkTable } from '../../core/request/bulk-edit.ts'
import { dayOf } from '../../core/base/clock.ts'
import { from } from '../../core/database/tenant.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { importer } from '../../platform/imports/importer.ts'
import { termFinder } from '../school/calendar.service.ts'
import { mondayOf, timeIn, weeksIn, weeksText } from './class-times.ts'
import { takeBack, writeRows } from './import-undo.ts'
import { placeIndex } from './place-index.service.ts'

const table = {
  table: 'classTime',
  id: 'ctId',
  columns: {
    tmName: 'text',
    firstMonday: 'date',
    scClassId: 'uuid',
    ctName: 'text',
    weekday: 'int',
    startAt: 'text',
    endAt: 'text',
    weeks: 'int[]',
    placeText: 'text',
  },
} as const satisfies BulkTable<string>

const keyOf = (one: { scClassId: string; firstMonday: string; weekday: number; startAt: string; ctName: string }) =>
  [one.scClassId, one.firstMonday, one.weekday, one.startAt, one.ctName].join('/')

/** The timetable of classes, told apart by class, term, day, beginning and name. Weeks are counted from the term's. */
export const timetableImporter = importer({
  sheet: timetableSheet,
  permit: 'class:edit',
  unique: [['tmName', 'scClassName', 'weekday', 'startAt', 'ctName']],
  async choices(ctx) {
    const terms = await from(ctx, 'term').select('tmName').orderBy('tmStart', 'desc').execute()
    return { tmName: terms.map(({ tmName }) => tmName) }
  },
  async load(ctx) {
    const { actor, scope, clock } = ctx
    const [places, terms, termAt, kept] = await Promise.all([
      placeIndex(ctx),
      from(ctx, 'term').select(['tmName', 'tmStart']).execute(),
      termFinder(ctx, actor.schoolId),
      from(ctx, 'classTime')
        .select(['ctId as id', 'version', ...(Object.keys(table.columns) as (keyof typeof table.columns)[])])
        .execute(),
    ])
    const classes = new Map<string, (typeof places.classes)[number] | null>()
    for (const one of places.classes)
      for (const name of new Set([one.scClassName, one.scClassCode].filter(Boolean)))
        classes.set(name, classes.has(name) ? null : one)
    return {
      scope,
      classes,
      terms: new Map(terms.map(({ tmName, tmStart }) => [tmName, tmStart])),
      present: termAt(dayOf(clock.now())),
      kept: new Map(kept.map((one) => [keyOf(one), one])),
    }
  },
  check(row, { scope, classes, terms, present, kept }) {
    const faults: { key: 'tmName' | 'scClassName' | 'weeks' | 'startAt' | 'endAt'; msg: string }[] = []
    const tmStart = row.tmName ? terms.get(row.tmName) : present.tmStart
    if (!tmStart) faults.push({ key: 'tmName', msg: `没有名为“${row.tmName}”的学期` })
    const place = classes.get(row.scClassName)
    if (place === undefined) faults.push({ key: 'scClassName', msg: `没有名称或编码为“${row.scClassName}”的班级` })
    if (place === null) faults.push({ key: 'scClassName', msg: `有多个班级名为“${row.scClassName}”，请填写班级编码` })
    const weeks = weeksIn(row.weeks)
    if (!weeks) faults.push({ key: 'weeks', msg: '周次须如“1-16”“1-15单”“2,4,6-8”，最多 30 周' })
    const [startAt, endAt] = [timeIn(row.startAt), timeIn(row.endAt)]
    if (!startAt) faults.push({ key: 'startAt', msg: '开始时间须如“08:00”' })
    if (!endAt) faults.push({ key: 'endAt', msg: '结束时间须如“09:35”' })
    if (startAt && endAt && startAt >= endAt) faults.push({ key: 'endAt', msg: '结束时间须晚于开始时间' })
    if (!tmStart || !place || !weeks || !startAt || !endAt) return { faults, found: undefined }
    const { scClassId, scId, smId, scClassGrade: grade } = place
    if (!scopeIncludes(scope, { college: scId, major: smId, class: scClassId, grade }))
      faults.push({ key: 'scClassName', msg: '该班级不在您的管理范围内' })
    const values = {
      tmName: row.tmName || present.tmName,
      firstMonday: mondayOf(tmStart),
      scClassId,
      ctName: row.ctName,
      weekday: weekdayLabels.indexOf(row.weekday as (typeof weekdayLabels)[number]) + 1,
      startAt,
      endAt,
      weeks,
      placeText: row.placeText,
    }
    const known = kept.get(keyOf(values))
    return {
      faults,
      existing: known && {
        tmName: row.tmName,
        scClassName: row.scClassName,
        ctName: known.ctName,
        weekday: row.weekday,
        startAt: row.startAt,
        endAt: known.endAt === endAt ? row.endAt : known.endAt,
        weeks: weeksText(known.weeks) === weeksText(weeks) ? row.weeks : weeksText(known.weeks),
        placeText: known.placeText,
      },
      found: { values, known },
    }
  },
  commit: (ctx, _target, rows) =>
    writeRows(
      ctx,
      table,
      rows.map(({ row, found }) => ({
        // a blank cell leaves what there was
        values: { ...found!.values, placeText: row.placeText },
        known: found!.known,
      })),
    ),
  undo: (ctx, _target, rows) => takeBack(ctx, table, 'ctName', rows),
})
