import { roomLeft } from '../../core/request/quotas.ts'
import { idDocument, personSex, personType } from '../../../contract/core/codes/school.ts'
import { dictionary, labelOf } from '../../../contract/core/dictionary.ts'
import { idCardFault } from '../../../contract/school/people/id-card.ts'
import { nationName, nations } from '../../../contract/school/people/nations.ts'
import { studentSheet } from '../../../contract/school/people/people.sheets.ts'
import type { SheetRow } from '../../../contract/core/sheets.ts'
import type { BulkTable } from '../../core/request/bulk-edit.ts'
import { dayOf } from '../../core/base/clock.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { importer } from '../../platform/imports/importer.ts'
import { gradeIn, placeIndex, type PlaceIndex } from '../organisation/place-index.service.ts'
import { homePlaceName } from '../organisation/regions.service.ts'
import {
  namesakesOf,
  peopleByNumber,
  sealedCells,
  sealedTypes,
  takeBackPeople,
  writePeople,
  type KnownPerson,
} from './import-people.ts'
import {
  birthFault,
  contactFaults,
  homePlaceFinder,
  nationOf,
  numberFault,
  politicalOf,
  valueOf,
} from './import-words.ts'

type Row = SheetRow<typeof studentSheet>
type Fault = { key: keyof Row; msg: string }

const table = {
  table: 'person',
  id: 'suId',
  columns: {
    suiNumber: 'text',
    suiName: 'text',
    suiSex: 'text',
    suiCollegeId: 'uuid',
    majorId: 'uuid',
    scClassId: 'uuid',
    suiGrade: 'text',
    suiPolitical: 'text',
    suiNation: 'text',
    birth: 'date',
    suiEmail: 'text',
    suiIdType: 'text',
    suiStudyYears: 'int',
    suiEduLevel: 'text',
    provinceId: 'text',
    cityId: 'text',
    areaId: 'text',
    ...sealedTypes,
  },
} as const satisfies BulkTable<string>

/**
 * Students from a sheet, told apart by their number. A number that belongs to another name is a conflict, never a
 * renaming.
 */
export const studentImporter = importer({
  sheet: studentSheet,
  permit: 'student:edit',
  unique: [['suiNumber'], ['suiIdCard']],
  similar: [['suiName', 'birth']],
  rowsAtOnce: 1000,
  room: (ctx) => roomLeft(ctx, ctx.actor.schoolId, 'people'),
  async choices(ctx) {
    const { colleges, majors, classes } = await placeIndex(ctx)
    const own = classes.filter(({ scId, smId, scClassId, scClassGrade }) =>
      scopeIncludes(ctx.scope, { college: scId, major: smId, class: scClassId, grade: scClassGrade }),
    )
    const [ownColleges, ownMajors] = [new Set(own.map(({ scId }) => scId)), new Set(own.map(({ smId }) => smId))]
    return {
      collegeName: colleges.filter(({ scId }) => ownColleges.has(scId)).map(({ scName }) => scName),
      majorName: [...new Set(majors.filter(({ smId }) => ownMajors.has(smId)).map(({ smName }) => smName))],
      className: [...new Set(own.map(({ scClassName }) => scClassName))],
      suiPolitical: dictionary.political.map(([, label]) => label),
      suiNation: nations.map(([, name]) => name),
    }
  },
  async load(ctx, _target, rows) {
    const [places, people, homeOf, namesakes] = await Promise.all([
      placeIndex(ctx),
      peopleByNumber(ctx, rows),
      homePlaceFinder(),
      namesakesOf(ctx, rows),
    ])
    const homes = new Map<string, string[]>()
    for (const { suId, ...home } of people.byNumber.values())
      homes.set(suId, home.provinceId ? (await homePlaceName(home)).split(' ') : [])
    const names = {
      college: new Map(places.colleges.map((one) => [one.scId, one.scName])),
      major: new Map(places.majors.map((one) => [one.smId, one.smName])),
      class: new Map(places.classes.map((one) => [one.scClassId, one.scClassName])),
    }
    return { scope: ctx.scope, today: dayOf(ctx.clock.now()), places, people, homeOf, homes, names, namesakes }
  },
  check(row, { scope, today, places, people, homeOf, homes, names, namesakes }) {
    const known = people.byNumber.get(row.suiNumber)
    const place = placeOf(row, places)
    const home = homeOf(row)
    const [political, nation] = [politicalOf(row.suiPolitical), nationOf(row.suiNation)]
    const faults: Fault[] = [...place.faults, ...contactFaults(row), ...(home.fault ? [home.fault] : [])]
    const add = (key: Fault['key'], msg: string | null | false | undefined) => msg && faults.push({ key, msg })
    add('suiNumber', numberFault('学号', row.suiNumber))
    add('suiPolitical', political === undefined && `没有名为“${row.suiPolitical}”的政治面貌`)
    add('suiNation', nation === undefined && `没有名为“${row.suiNation}”的民族`)
    add('birth', birthFault(row.birth, today))
    add(
      'suiIdCard',
      idCardFault({ suiIdCard: row.suiIdCard, birth: row.birth, suiSex: valueOf('sex', row.suiSex) ?? null }),
    )
    if (place.found && !scopeIncludes(scope, place.found.at)) add('collegeName', '该学院、专业或班级不在您的管理范围内')
    if (
      known &&
      known.suiType === personType.student &&
      !scopeIncludes(scope, {
        college: known.suiCollegeId,
        major: known.majorId,
        class: known.scClassId,
        grade: known.suiGrade,
      })
    )
      add('suiNumber', '该学生不在您的管理范围内')

    const conflicts: Fault[] = []
    if (known && known.suiType !== personType.student) conflicts.push({ key: 'suiNumber', msg: '该号码属于教职工' })
    else if (known && known.suiName !== row.suiName)
      conflicts.push({ key: 'suiName', msg: '学号已属于另一姓名的学生，如确需改名请在学生管理中修改' })
    if (people.isLoginTaken(row.suiNumber, known?.suId))
      conflicts.push({ key: 'suiNumber', msg: '该号码与其他人员的登录名相同' })
    const holder = row.suiIdCard ? people.holderOf(row.suiIdCard) : undefined
    if (holder && holder.suId !== known?.suId)
      conflicts.push({ key: 'suiIdCard', msg: `身份证号已属于学工号为 ${holder.suiNumber} 的人员` })

    const existing =
      known && conflicts.length === 0
        ? {
            ...asCells(known, row, { political, nation }, names, homes.get(known.suId) ?? []),
            ...plainOf(known, row, people.plain),
          }
        : undefined
    const namesake = known ? undefined : namesakes.get(`${row.suiName} ${row.birth}`)
    const hints: Fault[] = namesake
      ? [{ key: 'suiName', msg: `已有姓名与出生日期相同的学生，学号为 ${namesake}，请核对是否为同一人` }]
      : []
    return { faults, conflicts, hints, existing, found: { known, at: place.found?.at, political, nation, home } }
  },
  commit: (ctx, _target, rows, ibId) =>
    writePeople(
      ctx,
      table,
      personType.student,
      rows.map(({ row, found: { known, at, political, nation, home } }) => ({
        known,
        values: {
          suiNumber: row.suiNumber,
          suiName: row.suiName,
          suiSex: valueOf('sex', row.suiSex) ?? personSex.unknown,
          suiCollegeId: at!.college,
          majorId: at!.major,
          scClassId: at!.class,
          suiGrade: at!.grade,
          suiPolitical: political ?? known?.suiPolitical ?? null,
          suiNation: nation ?? known?.suiNation ?? null,
          birth: row.birth || null,
          suiEmail: row.suiEmail || null,
          suiIdType: row.suiIdCard ? idDocument.residentCard : (known?.suiIdType ?? null),
          suiStudyYears: row.suiStudyYears,
          suiEduLevel: valueOf('edu_level', row.suiEduLevel) ?? null,
          provinceId: home.provinceId ?? known?.provinceId ?? null,
          cityId: home.provinceId ? home.cityId : (known?.cityId ?? null),
          areaId: home.provinceId ? home.areaId : (known?.areaId ?? null),
          ...sealedCells(ctx, row, known),
        },
      })),
      ibId,
    ),
  undo: (ctx, _target, rows) => takeBackPeople(ctx, table, rows),
})

/**
 * The class that a row names, by way of its college, major and year, or what of it cannot be found and where it is
 * instead.
 */
function placeOf({ collegeName, majorName, className, suiGrade }: Row, places: PlaceIndex) {
  const faults: Fault[] = []
  const college = places.college(collegeName)
  if (!college && collegeName) faults.push({ key: 'collegeName', msg: `没有名为“${collegeName}”的学院` })
  const major = college && places.major(college.scId, majorName)
  if (college && !major && majorName)
    faults.push({ key: 'majorName', msg: `${college.scName}没有名为“${majorName}”的专业` })
  const grade = gradeIn(suiGrade)
  if (!grade && suiGrade) faults.push({ key: 'suiGrade', msg: '年级须为四位年份，如 2023' })
  const found = major && grade ? places.class(major.smId, grade, className) : undefined
  if (major && grade && !found && className)
    faults.push({ key: 'className', msg: strayClass(className, major, grade, places) })
  return {
    faults,
    found: found && { at: { college: college!.scId, major: major!.smId, class: found.scClassId, grade: grade! } },
  }
}

/** What to say of a class that is not in the major and year told. */
function strayClass(
  className: string,
  major: { smId: string; smName: string },
  grade: string,
  { classes, majors }: PlaceIndex,
): string {
  const [other] = classes
    .filter(({ scClassName }) => scClassName === className)
    .toSorted((a, b) => Number(b.smId === major.smId) - Number(a.smId === major.smId))
  if (!other) return `${major.smName}没有名为“${className}”的 ${grade} 级班级`
  return other.smId === major.smId
    ? `“${className}”是 ${other.scClassGrade} 级的班级，与年级 ${grade} 不符`
    : `“${className}”属于${majors.find(({ smId }) => smId === other.smId)?.smName ?? '其他专业'}，不属于${major.smName}`
}

/** A stored student in the words of the sheet; where the row says the same in other words, in the row's own. */
function asCells(
  known: KnownPerson,
  row: Row,
  said: { political: string | null | undefined; nation: string | null | undefined },
  names: { college: Map<string, string>; major: Map<string, string>; class: Map<string, string> },
  home: string[],
) {
  const name = (map: Map<string, string>, id: string | null) => (id ? (map.get(id) ?? '') : '')
  const homeWord = (word: string, stored = '') => (word && stored.startsWith(word) ? word : stored)
  return {
    suiNumber: known.suiNumber,
    suiName: known.suiName,
    suiSex: labelOf('sex', known.suiSex),
    collegeName: name(names.college, known.suiCollegeId),
    majorName: name(names.major, known.majorId),
    className: name(names.class, known.scClassId),
    suiGrade: known.suiGrade === gradeIn(row.suiGrade) ? row.suiGrade : (known.suiGrade ?? ''),
    suiPolitical:
      said.political && said.political === known.suiPolitical
        ? row.suiPolitical
        : known.suiPolitical
          ? labelOf('political', known.suiPolitical)
          : '',
    suiNation: said.nation && said.nation === known.suiNation ? row.suiNation : (nationName(known.suiNation) ?? ''),
    birth: known.birth ?? '',
    suiEmail: known.suiEmail ?? '',
    suiStudyYears: known.suiStudyYears,
    suiEduLevel: known.suiEduLevel ? labelOf('edu_level', known.suiEduLevel) : '',
    provinceName: homeWord(row.provinceName, home[0]),
    cityName: homeWord(row.cityName, home[1]),
    areaName: homeWord(row.areaName, home[2]),
  }
}

/** Stored phone and papers, only where the row has a value to compare them with. */
const plainOf = (
  known: KnownPerson,
  row: { suiPhone: string; suiIdCard: string },
  plain: (sealed: Buffer | null) => string,
) => ({
  ...(row.suiPhone ? { suiPhone: plain(known.suiPhone) } : {}),
  ...(row.suiIdCard
    ? {
        suiIdCard:
          plain(known.suiIdCard).toUpperCase() === row.suiIdCard.toUpperCase() ? row.suiIdCard : plain(known.suiIdCard),
      }
    : {}),
})
