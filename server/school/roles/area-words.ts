import { dataScope } from '../../../contract/core/codes/school.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { gradeIn, placeIndex } from '../organisation/place-index.service.ts'
import type { AreaKind, AreaTarget } from './grants.service.ts'
import type { Parents } from './own-reach.ts'

/** Kinds of targets that a role of each data scope takes, the likeliest first. */
const kindsOf: Record<string, AreaKind[]> = {
  [dataScope.school]: ['college', 'major', 'class', 'department', 'curriculum'],
  [dataScope.college]: ['college', 'major', 'class'],
  [dataScope.major]: ['major', 'college', 'class'],
  [dataScope.schoolClass]: ['class', 'major', 'college'],
  [dataScope.curriculum]: ['curriculum'],
  [dataScope.department]: ['department'],
}

export interface AreaWords {
  parents: Parents
  /**
   * The targets that a cell names: `软件学院、2023级`; what cannot be told apart by its name is written with what it belongs
   * to: `软件学院/软件工程`.
   */
  read(text: string, dataScope: string): { targets: AreaTarget[] } | { fault: string }
  /** The names of targets, as a cell would say them. */
  write(targets: readonly AreaTarget[]): string
}

/** Reads and writes control areas by the names of the school's places, departments and curriculum. */
export async function areaWords(ctx: Pick<Context, 'db' | 'actor'>): Promise<AreaWords> {
  const { db, actor } = ctx
  const [places, departments, nodes] = await Promise.all([
    placeIndex(ctx),
    from({ db, actor }, 'department').select(['sdId', 'sdName', 'sdCode']).execute(),
    from({ db, actor }, 'curriculum').select(['lsId', 'lsName', 'lsPath']).execute(),
  ])
  const known = new Map<string, Set<string>>()
  const names = new Map<string, string>()
  const learn = (kind: AreaKind, id: string, ...words: string[]) => {
    names.set(`${kind} ${id}`, words[0]!)
    for (const word of words) known.set(`${kind} ${word}`, (known.get(`${kind} ${word}`) ?? new Set()).add(id))
  }
  const collegeName = new Map(places.colleges.map(({ scId, scName }) => [scId, scName]))
  const majorName = new Map(places.majors.map(({ smId, smName }) => [smId, smName]))
  for (const { scId, scName, scCode } of places.colleges) learn('college', scId, scName, scCode)
  for (const { smId, smName, smCode, scId } of places.majors)
    learn('major', smId, smName, smCode, `${collegeName.get(scId)}/${smName}`)
  for (const { scClassId, scClassName, smId, scId } of places.classes)
    learn(
      'class',
      scClassId,
      scClassName,
      `${majorName.get(smId)}/${scClassName}`,
      `${collegeName.get(scId)}/${majorName.get(smId)}/${scClassName}`,
    )
  for (const { sdId, sdName, sdCode } of departments) learn('department', sdId, sdName, sdCode)
  for (const { lsId, lsName } of nodes) learn('curriculum', lsId, lsName)

  const targetOf = (word: string, dataScope: string): AreaTarget | { fault: string } => {
    const grade = gradeIn(word)
    if (grade) return { caType: 'grade', caTarget: grade }
    for (const caType of kindsOf[dataScope] ?? []) {
      const [first, ...more] = known.get(`${caType} ${word.replace(/\s*[/／]\s*/g, '/')}`) ?? []
      if (first && more.length === 0) return { caType, caTarget: first }
      if (first) return { fault: `有多个名为“${word}”的${kindWords[caType]}，请连同所属学院、专业写成“学院/专业/班级”` }
    }
    return {
      fault: kindsOf[dataScope]
        ? `管理范围中没有名为“${word}”的${kindsOf[dataScope].map((kind) => kindWords[kind]).join('、')}`
        : '该角色只管理本人的记录，不能填写管理范围',
    }
  }
  return {
    parents: {
      majors: new Map(places.majors.map((one) => [one.smId, one])),
      classes: new Map(
        places.classes.map((one) => [one.scClassId, { scId: one.scId, smId: one.smId, grade: one.scClassGrade }]),
      ),
      nodes: new Map(nodes.map((one) => [one.lsId, one.lsPath])),
    },
    read(text, dataScope) {
      const targets: AreaTarget[] = []
      for (const word of new Set(
        text
          .split(/[、,，;；]/)
          .map((one) => one.trim())
          .filter(Boolean),
      )) {
        const target = targetOf(word, dataScope)
        if ('fault' in target) return target
        targets.push(target)
      }
      return { targets }
    },
    write: (targets) =>
      targets
        .map(({ caType, caTarget }) =>
          caType === 'grade' ? `${caTarget}级` : (names.get(`${caType} ${caTarget}`) ?? '已删除'),
        )
        .join('、'),
  }
}

const kindWords: Record<AreaKind, string> = {
  college: '学院',
  major: '专业',
  class: '班级',
  department: '部门',
  grade: '年级',
  curriculum: '课程体系',
}
