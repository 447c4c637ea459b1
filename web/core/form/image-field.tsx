import { lazy, Suspense } from 'react'
import { Uploads, type FileFieldProps, type PickerProps } from './file-fields.tsx'
import { Field } from './form-field.tsx'

interface ImageFieldProps extends FileFieldProps {
  /**
   * Width by height of the picture (1 for a square, 5 / 7 for a portrait photo): a chosen picture is cropped to it
   * before it is stored.
   */
  aspect?: number
}

/**
 * Pictures, shown small; with `aspect` the person cuts each one to shape. The value is one file id, or a list with
 * `max` above 1.
 */
export function ImageField({ aspect, ...props }: ImageFieldProps) {
  const many = (props.max ?? 1) > 1
  const help =
    props.help ??
    `JPG、PNG 或 WebP，${many ? '每张' : ''}不超过 10 MB${many ? `，最多 ${props.max} 张` : ''}${aspect ? '，上传前可裁剪' : ''}`
  const picker =
    aspect === undefined
      ? {}
      : {
          picker: (props: PickerProps) => (
            <Suspense>
              <CropPicker {...props} aspect={aspect} />
            </Suspense>
          ),
        }
  return (
    <Field {...props} help={help}>
      <Uploads {...props} {...picker} kind="image" />
    </Field>
  )
}

const CropPicker = lazy(() => import('./crop-picker.tsx').then((file) => ({ default: file.CropPicker })))
