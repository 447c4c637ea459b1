import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Button, Upload } from 'antd'
import ImgCrop from 'antd-img-crop'
import { limits, type PickerProps } from './file-fields.tsx'

/**
 * Chooses one picture and has it cut to shape. What is no picture or too large goes on uncut, to be refused in words.
 */
export function CropPicker({ id, accept, isBusy, words, aspect, onChoose }: PickerProps & { aspect: number }) {
  return (
    <ImgCrop
      aspect={aspect}
      quality={0.92}
      fillColor="transparent"
      modalTitle="裁剪图片"
      modalOk="使用此图"
      modalCancel="取消"
      modalProps={{ afterOpenChange: nameSlider }}
      beforeCrop={(file) => /^image\/(jpeg|png|webp)$/.test(file.type) && file.size <= limits.image}
    >
      <Upload accept={accept} showUploadList={false} beforeUpload={(file) => (onChoose([file]), false)}>
        <Button id={id} className="upload-add" icon={<PlusOutlined />} loading={isBusy}>
          {words}
        </Button>
      </Upload>
    </ImgCrop>
  )
}

/** The cropper's slider has no name of its own for those who cannot see it. */
function nameSlider(isOpen: boolean): void {
  if (isOpen) document.querySelector('.img-crop-control-zoom [role=slider]')?.setAttribute('aria-label', '缩放')
}
