#!/bin/sh
echo schema
