import { Button } from '../explorer/button.tsx';
import { Dialog } from '../explorer/dialog.tsx';

type LeaveDialogProps = {
  readonly save: () => Promise<boolean>;
  readonly leave: () => void;
  readonly stay: () => void;
};

export function LeaveDialog({ save, leave, stay }: LeaveDialogProps) {
  return (
    <Dialog label="Unsaved changes" className="dialog" close={stay}>
      <h2>Save your changes?</h2>
      <p>
        Something in this property is not saved yet. If you leave, this browser keeps it, and offers it when
        you come back.
      </p>
      <p class="dialog-actions flow">
        <Button look="primary" onClick={async () => ((await save()) ? leave() : stay())}>
          Save and leave
        </Button>
        <Button onClick={leave}>Leave without saving</Button>
        <Button onClick={stay}>Stay here</Button>
      </p>
    </Dialog>
  );
}
