import { SelectFilter } from '../../core/list/filters.tsx'
import { useCircleClasses } from './circle-parts.tsx'

/** The school's kinds of circle. */
export const CircleClassFilter = ({ name }: { name: string }) => (
  <SelectFilter name={name} label="圈子分类" options={useCircleClasses()} />
)
