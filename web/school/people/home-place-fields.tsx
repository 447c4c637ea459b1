import { Form, Select } from 'antd'
import { regionApi, type Region } from '../../../contract/school/organisation/regions.calls.ts'
import { clearing } from '../../core/parts/clear-icon.tsx'
import { Field } from '../../core/form/form-field.tsx'
import { useCall } from '../../core/service/use-call.ts'

const day = 86_400_000

/** Home province, then city, then area; choosing one drops what lay below the former choice. */
export function HomePlaceFields() {
  const form = Form.useFormInstance()
  const province = Form.useWatch<string | undefined>('provinceId', form)
  const city = Form.useWatch<string | undefined>('cityId', form)
  const provinces = useCall(regionApi.provinces, {}, { staleTime: day })
  const cities = useCall(regionApi.cities, { id: province ?? '' }, { enabled: !!province, staleTime: day })
  const areas = useCall(regionApi.areas, { id: city ?? '' }, { enabled: !!city, staleTime: day })
  return (
    <>
      <Field name="provinceId" span={4}>
        <RegionSelect regions={provinces.data} clears={['cityId', 'areaId']} placeholder="请选择" />
      </Field>
      <Field name="cityId" span={4}>
        <RegionSelect
          regions={province ? cities.data : []}
          clears={['areaId']}
          disabled={!province}
          placeholder={province ? '请选择' : '请先选择省份'}
        />
      </Field>
      <Field name="areaId" span={4}>
        <RegionSelect
          regions={city ? areas.data : []}
          clears={[]}
          disabled={!city}
          placeholder={city ? '请选择' : '请先选择城市'}
        />
      </Field>
    </>
  )
}

interface RegionSelectProps {
  /** Undefined while they are read; the value is not shown as a bare code meanwhile. */
  regions: Region[] | undefined
  clears: readonly string[]
  placeholder: string
  disabled?: boolean
  id?: string
  value?: string | null
  onChange?: (value: string | undefined) => void
}

function RegionSelect({ regions, clears, value, onChange, ...rest }: RegionSelectProps) {
  const form = Form.useFormInstance()
  const choose = (chosen: string | undefined) => {
    form.setFieldsValue(Object.fromEntries(clears.map((name) => [name, undefined])))
    onChange?.(chosen)
  }
  return (
    <Select
      {...rest}
      value={regions ? (value ?? undefined) : undefined}
      options={(regions ?? []).map(({ code, name }) => ({ value: code, label: name }))}
      loading={!regions}
      allowClear={clearing}
      showSearch={{ optionFilterProp: 'label' }}
      onChange={choose}
    />
  )
}
