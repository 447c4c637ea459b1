import { Select } from 'antd'
import { clearing } from '../parts/clear-icon.tsx'
import { Field, type FieldProps } from './form-field.tsx'

/** Several texts that are typed and not chosen, such as addresses: each ends by Enter, a comma or a space. */
export function TagsField(props: FieldProps) {
  return (
    <Field {...props}>
      <Select
        mode="tags"
        open={false}
        suffixIcon={null}
        tokenSeparators={[',', '，', ' ', ';', '；']}
        placeholder={props.placeholder ?? '请输入'}
        disabled={props.disabled === true}
        allowClear={clearing}
      />
    </Field>
  )
}
