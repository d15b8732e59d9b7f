import { Injectable } from '@nestjs/common';

/** The news that the service is about to stop and should get no new requests. */
@Injectable()
export class Drain {
  private isOn = false;

  begin(): void {
    this.isOn = true;
  }

  isDraining(): boolean {
    return this.isOn;
  }
}
