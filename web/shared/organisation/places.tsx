import { Form, Select } from 'antd'
import { useId } from 'react'
import { classApi } from '../../../contract/school/organisation/classes.calls.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { majorApi } from '../../../contract/school/organisation/majors.calls.ts'
import { regionApi } from '../../../contract/school/organisation/regions.calls.ts'
import { clearing } from '../../core/parts/clear-icon.tsx'
import { FilterPlace, SelectFilter } from '../../core/list/filters.tsx'
import { Field, type FieldProps } from '../../core/form/form-field.tsx'
import { useFilter } from '../../core/list/list-context.ts'
import type { Choice } from '../../core/parts/multi-select.tsx'
import { useCall } from '../../core/service/use-call.ts'

type Right = `${string}:${string}`
const minutes = 5 * 60_000
const asChoices = (options: { id: string; name: string }[] | undefined): Choice[] =>
  (options ?? []).map(({ id, name }) => ({ value: id, label: name }))

/** Colleges that a right's area touches; without one all of the school. */
export const useColleges = (under?: Right): Choice[] =>
  asChoices(useCall(collegeApi.options, under ? { under } : {}, { staleTime: minutes }).data)
/** Majors of a college. */
const useMajors = (collegeId: string | undefined, under?: Right): Choice[] =>
  asChoices(
    useCall(
      majorApi.options,
      { id: collegeId ?? '', ...(under && { under }) },
      { enabled: !!collegeId, staleTime: minutes },
    ).data,
  )
/** Classes of a major, of one year or all. */
const useClasses = (majorId: string | undefined, grade?: string, under?: Right) =>
  useCall(
    classApi.options,
    { majorId: majorId ?? '', ...(grade && { grade }), ...(under && { under }) },
    { enabled: !!majorId, staleTime: minutes },
  ).data ?? []
/** Years of entry the school has classes of. */
export const useGrades = (): Choice[] => asChoices(useCall(regionApi.grades, {}, { staleTime: minutes }).data)

interface PlaceNames {
  college: string
  major?: string
  class?: string
}

/** College, then major, then class: choosing one offers what lies below it and drops what no longer fits. */
export function CollegeFilter({ names, under }: { names: PlaceNames; under?: Right }) {
  const below = [names.major, names.class].filter((name) => name !== undefined)
  return <DependentFilter name={names.college} label="学院" options={useColleges(under)} below={below} />
}

export function MajorFilter({ names, under }: { names: PlaceNames & { major: string }; under?: Right }) {
  const { value: college } = useFilter(names.college)
  return (
    <DependentFilter
      name={names.major}
      label="专业"
      options={useMajors(college, under)}
      below={names.class ? [names.class] : []}
      {...(!college && { blocked: '请先选择学院' })}
    />
  )
}

export function ClassFilter({ names, grade, under }: { names: Required<PlaceNames>; grade?: string; under?: Right }) {
  const { value: major } = useFilter(names.major)
  const { value: year } = useFilter(grade ?? 'suiGrade')
  const options = useClasses(major, year, under).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <DependentFilter
      name={names.class}
      label="班级"
      options={options}
      below={[]}
      {...(!major && { blocked: '请先选择专业' })}
    />
  )
}

/** The year of entry. A class is of one year: `clears` names the filter by class, where there is one. */
export const GradeFilter = ({ name, clears = [] }: { name: string; clears?: readonly string[] }) => (
  <SelectFilter name={name} label="年级" options={useGrades()} clears={clears} />
)

function DependentFilter({
  name,
  label,
  options,
  below,
  blocked,
}: {
  name: string
  label: string
  options: Choice[]
  below: string[]
  blocked?: string
}) {
  const id = useId()
  const { value, set } = useFilter(name, below)
  return (
    <FilterPlace label={label} htmlFor={id}>
      <Select
        id={id}
        value={value}
        options={options}
        placeholder={blocked ?? '请选择'}
        notFoundContent={blocked ?? '暂无数据'}
        allowClear={clearing}
        showSearch={{ optionFilterProp: 'label' }}
        popupMatchSelectWidth={false}
        onChange={set}
      />
    </FilterPlace>
  )
}

interface PlaceFieldProps extends FieldProps {
  /** Fields that hold the places above. */
  college?: string
  major?: string
  grade?: string
  /** Fields that lose their value when this one changes. */
  clears?: readonly string[]
  under?: Right
}

export function CollegeField({ clears, under, ...props }: PlaceFieldProps) {
  return <PlaceField {...props} clears={clears} options={useColleges(under)} />
}

/** Majors of the chosen college. */
export function MajorField({ college = 'scId', clears, under, ...props }: PlaceFieldProps) {
  const chosen = Form.useWatch<string | undefined>(college, Form.useFormInstance())
  return (
    <PlaceField
      {...props}
      clears={clears}
      options={useMajors(chosen, under)}
      placeholder={chosen ? '请选择' : '请先选择学院'}
    />
  )
}

/** Classes of the chosen major and year. */
export function ClassField({ major = 'majorId', grade = 'suiGrade', clears, under, ...props }: PlaceFieldProps) {
  const form = Form.useFormInstance()
  const chosen = Form.useWatch<string | undefined>(major, form)
  const year = Form.useWatch<string | undefined>(grade, form)
  const options = useClasses(chosen, year, under).map(({ id, name }) => ({ value: id, label: name }))
  const placeholder = !chosen
    ? '请先选择专业'
    : !year
      ? '请先选择年级'
      : options.length === 0
        ? '该年级没有班级'
        : '请选择'
  return <PlaceField {...props} clears={clears} options={options} placeholder={placeholder} />
}

/** The years of entry, newest first. */
export function GradeField({ clears, ...props }: PlaceFieldProps) {
  return <PlaceField {...props} clears={clears} options={useGrades()} />
}

function PlaceField({
  options,
  clears,
  ...props
}: FieldProps & { options: Choice[]; clears?: readonly string[] | undefined }) {
  return (
    <Field {...props}>
      <PlaceSelect
        options={options}
        clears={clears ?? []}
        placeholder={props.placeholder ?? '请选择'}
        disabled={props.disabled === true}
      />
    </Field>
  )
}

interface PlaceSelectProps {
  options: Choice[]
  clears: readonly string[]
  placeholder: string
  disabled: boolean
  id?: string
  value?: string
  onChange?: (value: string | undefined) => void
}

function PlaceSelect({ clears, onChange, ...rest }: PlaceSelectProps) {
  const form = Form.useFormInstance()
  const choose = (value: string | undefined) => {
    form.setFieldsValue(Object.fromEntries(clears.map((name) => [name, undefined])))
    onChange?.(value)
  }
  return (
    <Select
      {...rest}
      notFoundContent={rest.options.length === 0 ? rest.placeholder : '暂无数据'}
      allowClear={clearing}
      showSearch={{ optionFilterProp: 'label' }}
      onChange={choose}
    />
  )
}
