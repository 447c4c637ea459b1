import { dataScope as dataScopeCodes } from '../../core/codes/school.ts'
import type { ControlArea } from './roles.schema.ts'

/**
 * What a member's role covers, in words: `软件学院、外语学院，限 2023级`. Without any target only some data scopes cover something.
 */
export function areaText(dataScope: string, names: ControlArea['names']): string {
  if (dataScope === dataScopeCodes.self) return '本人的记录'
  const of = (...kinds: string[]) =>
    names
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ name }) => name)
      .join('、')
  const [places, grades, nodes] = [of('college', 'major', 'class', 'department'), of('grade'), of('curriculum')]
  const parts = [
    places,
    grades && (places ? `限 ${grades}` : grades),
    nodes && (places || grades ? `限课程体系 ${nodes}` : `课程体系 ${nodes}`),
  ].filter(Boolean)
  return parts.length > 0 ? parts.join('，') : dataScope === dataScopeCodes.school ? '全校' : ''
}
