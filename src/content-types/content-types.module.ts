import { Module } from '@nestjs/common';
import { ContentTypes } from './content-types.service.js';

@Module({ providers: [ContentTypes], exports: [ContentTypes] })
export class ContentTypesModule {}
